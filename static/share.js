// Share, or copy; where neither is allowed, the field to copy from opens.
addEventListener("click", async e => {
  const button = e.target.closest(".share > summary")
  if (!button || !navigator.share && !navigator.clipboard) return
  e.preventDefault()
  const field = button.nextElementSibling
  try {
    if (navigator.share) return await navigator.share({text: field.value})
    await navigator.clipboard.writeText(field.value)
    button.lastChild.textContent = "Copied"
  } catch ({name}) {
    if (name == "AbortError") return
    button.parentElement.open = true
    field.select()
  }
})
