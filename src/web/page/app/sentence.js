// Texts of the server as sentences.

/** A sentence that begins with a capital letter and ends with a full stop. */
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
