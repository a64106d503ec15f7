// Texts of the server as sentences.

/** A sentence with quotation marks for people, that begins with a capital letter, unless with the name of a point, and ends with a full stop. */
export function sentence(text) {
    const first = /^[a-i][1-9]\b/.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase();
    return `${first}${text.slice(1).replace(/`([^`]*)`/g, '“$1”')}${/[.!?]$/.test(text) ? '' : '.'}`;
}
