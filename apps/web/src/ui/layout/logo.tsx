export function Leaf() {
  return (
    <svg className="dl-leaf" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M28 4C15 3 5 8 4.5 18.5 4.3 22.5 6.5 27 11 28c9.5 2 16.5-8 17-24Z" />
      <path d="M4 29c4-7 9-12 16-16" />
    </svg>
  )
}
