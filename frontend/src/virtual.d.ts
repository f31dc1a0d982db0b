declare module 'virtual:words' {
  type Entry = string | Record<string, string>
  const catalogues: Record<string, () => Promise<{ default: Record<string, Entry> }>>
  export default catalogues
}
