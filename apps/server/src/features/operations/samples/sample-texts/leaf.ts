/** A small picture for the sample folder. */
export const LEAF_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" width="640" height="400">
  <rect width="320" height="200" fill="#e7f3e9"/>
  <circle cx="250" cy="52" r="22" fill="#fbecae"/>
  <path d="M0 160c60-34 120-34 170-8s100 22 150-6v54H0z" fill="#bcd9c0"/>
  <path d="M96 150C84 92 128 52 204 48c6 72-34 112-84 110" fill="#2f8440"/>
  <path d="M92 172c12-44 42-78 84-96" fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round"/>
</svg>
`
