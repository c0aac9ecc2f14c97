// What a click led to has moved once: the address that says so is left.
history.replaceState(history.state, "", location.href.replace(/[?&]pressed=$/, ""))

// What a click led to moves until the next one.
for (const used of ["pointerdown", "keydown"])
  addEventListener(used, () => document.querySelector(".just")?.classList.remove("just"))

// Share, or copy, or open what to copy.
addEventListener("click", async e => {
  const pressed = e.target.closest?.(".share > summary, .share button")
  if (!pressed) return
  e.preventDefault()
  const box = pressed.closest(".share"), [button] = box.children, field = box.querySelector("textarea")
  const told = pressed.querySelector("[role=status]")
  const copied = () => {
    told.textContent = "Copied"
    setTimeout(() => told.textContent = "", 3000)
  }
  if (pressed.name) {
    field.select()
    if (document.execCommand("copy")) copied()
  } else if (box.open) {
    box.open = false
    button.focus()
  } else try {
    if (navigator.share) return await navigator.share({text: field.value})
    await navigator.clipboard.writeText(field.value)
    copied()
  } catch ({name}) {
    if (name == "AbortError") return
    box.querySelector(".row").hidden = false
    box.open = true
    field.select()
  }
})
