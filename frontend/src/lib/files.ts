/** Something to be kept as a file: the browser asks where, or puts it among its downloads. */
export function save(name: string, data: unknown): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(data)], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

/** The record in a file that was opened: its text, or that in a review that was saved with it. */
export function recordIn(text: string): string {
  if (!text.trimStart().startsWith('{')) return text
  try {
    const found = (JSON.parse(text) as { record?: unknown }).record
    return typeof found === 'string' ? found : text
  } catch {
    return text
  }
}
