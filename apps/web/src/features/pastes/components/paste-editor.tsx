export function PasteEditor(_props: { slug: string; onDone: () => void }) {
  return null
}
