// Making SVG elements.

const SVG = 'http://www.w3.org/2000/svg';

/** SVG units per board unit: pieces are drawn in a square of 100. */
export const UNIT = 100;

/** An SVG element with attributes and children. Its classes are its parts, for styles from outside `<qirkat-board>`. */
export function svg(name, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) {
        element.setAttribute(key, String(value));
    }
    if (attributes.class) element.setAttribute('part', attributes.class);
    element.append(...children);
    return element;
}
