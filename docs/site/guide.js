// What mdBook's pages lack for keyboards and screen readers.

// The button for the table of contents is a label.
const toggle = document.getElementById('mdbook-sidebar-toggle');
toggle.setAttribute('role', 'button');
toggle.tabIndex = 0;
toggle.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    toggle.click();
});

// What is wider than the page is scrolled by the arrow keys.
for (const wide of document.querySelectorAll('pre > code, .table-wrapper')) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
}
