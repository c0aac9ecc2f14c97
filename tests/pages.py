"""One list of the pages, by name: one of each kind and of each state that looks different."""

PAGES = {
    "game": "/",
    "error": "/nowhere",
    "write": "/learn/write",
    "programs": "/learn/write/all",
}
