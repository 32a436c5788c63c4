/** Library builds without type declarations. They use the types of the full library. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}

declare module 'exifr/dist/full.esm.mjs' {
  export { parse } from 'exifr'
}
