/** Something to be kept as a file: the browser asks where, or puts it among its downloads. */
export function save(name: string, data: unknown): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(data)], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}
