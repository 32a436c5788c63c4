/** Builds of libraries that have no types of their own; the types of the full library fit. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}

declare module 'exifr/dist/full.esm.mjs' {
  export { parse } from 'exifr'
}
