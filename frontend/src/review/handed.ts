/** A record that was opened on another page of this tab; nothing of it is kept anywhere else. */
let handed: { text: string; name: string } | null = null
export const handOver = (record: { text: string; name: string }): void => void (handed = record)
export const handedOver = (): typeof handed => handed
