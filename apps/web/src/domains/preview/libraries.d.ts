/** Builds of libraries that come without types of their own, as those of the whole. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}

declare module 'exifr/dist/full.esm.mjs' {
  export { parse } from 'exifr'
}
