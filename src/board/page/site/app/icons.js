// The icons of buttons: lines in a square of 24, drawn for this page.

import { svg } from '../board/svg.js';

const PATHS = {
    again: 'M4 10a8 8 0 0 1 14-4l2 2M20 3v5h-5M20 14a8 8 0 0 1-14 4l-2-2M4 21v-5h5',
    analyse: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21',
    back: 'M16 5 7 12l9 7z',
    bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
    board: 'M4 4h16v16H4zM12 4v16M4 12h16',
    close: 'M6 6l12 12M18 6 6 18',
    copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
    draw: 'M5.5 5 8 4v7M5 19 19 5M14 15c1-1.8 4.4-1.4 4 .8-.2 1.2-4 2.6-4 4.2h4.5',
    end: 'M18 5v14M5 5l9 7-9 7z',
    engine: 'M7 7h10v10H7zM9.5 3v4M14.5 3v4M9.5 17v4M14.5 17v4M3 9.5h4M3 14.5h4M17 9.5h4M17 14.5h4',
    eye: 'M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
    file: 'M6 3h8l4 4v14H6zM14 3v4h4',
    flag: 'M6 21V4h12l-3 4 3 4H6',
    flip: 'M7 20V5M3.5 8.5 7 5l3.5 3.5M17 4v15M13.5 15.5 17 19l3.5-3.5',
    friend: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM2 20c0-4 3-6 7-6s7 2 7 6M19 7v6M16 10h6',
    graph: 'M3 20h18M4 16l5-6 4 3 7-9',
    help: 'M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19zM9.2 9.4a2.9 2.9 0 1 1 4.3 2.5c-1 .6-1.5 1.2-1.5 2.4M12 17.4v.4',
    hint: 'M9 18h6M10 21h4M8.2 14a6 6 0 1 1 7.6 0c-.8.8-.8 2-.8 4H9c0-2 0-3.2-.8-4z',
    learn: 'M12 6C10 4.4 7 4 4 4v14c3 0 6 .4 8 2 2-1.6 5-2 8-2V4c-3 0-6 .4-8 2zv14',
    list: 'M4 6h16M4 12h16M4 18h10',
    moves: 'M4 6h1M4 12h1M4 18h1M10 6h10M10 12h10M10 18h10',
    notes: 'M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4',
    on: 'M8 5l9 7-9 7z',
    openings: 'M4 12h5M9 12c5 0 4-6 11-6M9 12c5 0 4 6 11 6M9 12h11',
    pause: 'M8 5v14M16 5v14',
    plus: 'M12 4v16M4 12h16',
    review: 'M4 6h12M4 12h8M4 18h6M14 16l2.5 2.5L21 13',
    save: 'M12 3v11M8 10l4 4 4-4M4 20h16',
    settings: 'M4 7h9M18 7h2M4 17h2M11 17h9M15.5 4.5v5M8.5 14.5v5',
    share: 'M12 14V3M8 7l4-4 4 4M6 11H4v10h16V11h-2',
    silence: 'M4 9.5v5h4l5 4v-13l-5 4zM17 9.5l4 5M21 9.5l-4 5',
    sound: 'M4 9.5v5h4l5 4v-13l-5 4zM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11',
    start: 'M6 5v14M19 5l-9 7 9 7z',
    stop: 'M6 6h12v12H6z',
    takeBack: 'M9 13 4 8.5 9 4M4 8.5h10a5.5 5.5 0 0 1 0 11h-4',
    threat: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 2v6M12 16v6M2 12h6M16 12h6',
    transfer: 'M7 4v13M3.5 13.5 7 17l3.5-3.5M12 21h9M17 17V4M13.5 7.5 17 4l3.5 3.5',
    values: 'M12 3v18M7 21h10M4 7h16M4.5 7 2 13h5zM19.5 7 17 13h5z',
};

/** An icon by its name, which says nothing to screen readers: the button has words. */
export function icon(name) {
    return svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));
}
