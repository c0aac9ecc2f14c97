// ← → Home End press links, on a projector a clicker's keys as well; Play presses Next; a focus that a
// swap took goes to the sentence.
const one = css => document.querySelector(css)
let timer, unfolded

function play(on) {
  timer = clearInterval(timer)
  if (on) timer = setInterval(step, 2500)
  show()
}

function show() {
  one("#play")?.setAttribute("aria-pressed", !!timer)
}

function step() {
  const next = one("#next")
  if (next?.dataset.key) next.click()
  else play(false)
}

addEventListener("click", e => {
  if (e.target.closest?.("#play")) {
    play(!timer)
    if (timer) one("#next").click()
  } else if (e.isTrusted) play(false)
})

// Keys act while the focus is on a control of the page or on what it tells, so never where something
// is written or scrolled; but for letters also where nothing has it, as a clicker's first press.
addEventListener("keydown", e => {
  const from = e.composedPath()[0], {key = "", code} = e
  if (!from.matches?.("body, main, main *")) return
  // What opened over the page closes by Escape, and its summary has the focus.
  if (key == "Escape") for (const panel of document.querySelectorAll(".tools > [open]")) {
    panel.open = false
    panel.firstElementChild.focus()
  }
  if (e.ctrlKey || e.altKey || e.metaKey || from.isContentEditable) return
  if (!from.matches(`main, main :is(a, button, summary, #told)${key.length > 1 ? ", body" : ""}`)) return
  // A letter is known by its place where the layout has no Latin there.
  const name = key.length > 1 ? key : (/[ -~]/.test(key) ? key : /^Key(.)$/.exec(code)?.[1] ?? "").toLowerCase()
  const link = one(`[data-key~="${CSS.escape(name)}"]`)
  // What is held steps on, but begins nothing.
  if (e.repeat && (link ? !link.matches(".steps *, .pace [data-key^=Arrow]") : key == "Enter")) e.preventDefault()
  else if (link) e.preventDefault(play(false), link.click())
})

// So that a letter acts at once, all that it acts on has the focus.
if (one("[data-key~=b]") && document.activeElement == document.body) one("main").focus({preventScroll: true})

addEventListener("htmx:afterSettle", () => {
  show()
  if (document.activeElement == document.body) one("#told")?.focus({preventScroll: true})
  // What teaches may be longer than the screen by some lines: its end comes in sight above the foot.
  const box = part => part?.getBoundingClientRect()
  const said = box([...document.querySelectorAll(".lesson :is(.bubble, .duo p, #after .card, .also)")].pop())
  const over = said?.bottom + 8 - box(one("#foot"))?.top
  if (over > 0) scrollBy(0, Math.min(over, said.top))
})

// What a click led to moves, and nothing on a page that is opened.
addEventListener("htmx:afterSwap", () => document.documentElement.classList.add("swapped"))

// The list of a game stays open from move to move.
addEventListener("toggle", e => {
  if (e.target.matches(".fold")) unfolded = e.target.open
}, true)
addEventListener("htmx:afterSwap", () => {
  if (!unfolded || !one(".fold")) return
  one(".fold").open = true
  if (document.activeElement == document.body) one(".fold [aria-current]")?.focus()
})

// What opens below what is in sight comes above the foot.
addEventListener("toggle", e => e.target.closest(".aside[open]")?.scrollIntoView({block: "nearest"}), true)

for (const name of ["sendError", "timeout", "responseError"])
  addEventListener("htmx:" + name, () => {
    play(false)
    const told = one("#told")
    if (told?.dataset[name]) told.textContent = told.dataset[name]
  })

// Without script an address ends in the part to look at; with it nothing scrolls.
addEventListener("htmx:configRequest", e => e.detail.path = e.detail.path.split("#")[0])
