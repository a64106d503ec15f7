// The board as a picture: SVG, or PNG drawn from it.

/** Pixels of the width of a picture. */
const WIDTH = 1080;

/** The board as it is seen, as an SVG file with its styles in it. */
export function boardAsSvg(board) {
    const copy = board.svg.cloneNode(true);
    const { width, height } = board.svg.viewBox.baseVal;
    for (const name of ['tabindex', 'role', 'aria-roledescription']) copy.removeAttribute(name);
    for (const mark of copy.querySelectorAll('[data-mark=cursor]')) mark.remove();
    copy.setAttribute('xmlns', board.svg.namespaceURI);
    copy.setAttribute('class', board.host.className);
    copy.dataset.board = board.host.dataset.board;
    copy.dataset.coordinates = board.coordinates;
    copy.dataset.pieces = document.documentElement.dataset.pieces;
    copy.setAttribute('width', WIDTH);
    copy.setAttribute('height', Math.round(WIDTH * height / width));
    const sheet = [...document.styleSheets].find(({ href }) => href?.endsWith('/board.css'));
    const style = document.createElementNS(board.svg.namespaceURI, 'style');
    style.textContent = [...sheet.cssRules].map(({ cssText }) => cssText).join('\n');
    copy.prepend(style);
    return new XMLSerializer().serializeToString(copy);
}

/** The same as PNG. */
export async function boardAsPng(board) {
    const url = URL.createObjectURL(new Blob([boardAsSvg(board)], { type: 'image/svg+xml' }));
    try {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.naturalWidth;
        canvas.height = image.naturalHeight;
        canvas.getContext('2d').drawImage(image, 0, 0);
        return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
    } finally {
        URL.revokeObjectURL(url);
    }
}
