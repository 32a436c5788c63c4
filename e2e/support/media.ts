/** Valid files in formats that browsers can show. */

/** A red square. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAIAAADYYG7QAAAAOklEQVR42u3OMQ0AAAgDsEmZfy2IwgXhaFIBzbSvREhISEhISEhISEhISEhISEhISEhISEhISEjozgLJH2yIKr9r0wAAAABJRU5ErkJggg==',
  'base64',
)

/** A WebM video in VP8 that lasts a third of a second. */
export const VIDEO = Buffer.from(
  'GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZwEAAAAAAAIwEU2bdLlNu4tTq4QVSalmU6yBbk27i1OrhBZUrmtTrIGTTbuLU6uEH0O2dVOsgdRNu4xTq4QcU7trU6yCAh7srgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBEiYRDt+gQTYCGQ2hyb21lV0GGQ2hyb21lFlSua7yuuteBAXPFhzTv17ArqTuDgQFV7oEBhoVWX1ZQOOCdsIEguoEYU8CBAVWwkFWxgQFVuYECVbqBDVW7gQEfQ7Z1AQAAAAAAAT7ngQCg5KG5gQAAAJACAJ0BKiAAGAACRwiFhYiZhIgMggJ1qgIH+SJMIP74Qcv9izlsC8f/57R/89o/+e0f+eEAdaGmpqTugQGlnzACAJ0BKiAAGAAHBwiFhYiZhIgmAgAHkPPJwP7wXQCgyaGpgQB5ABECAAkQgAAYB0gIIJnzDQA5ZgD+7c7f/kFywuuRr/zYFc1z7mh1oZimlu6BAaWRsQEAHBE8ABgAGFgv9AAIcAD7gQCgy6GrgQDxANEBAAkQVAAYAB5X9AwAQQ4A/vzL5f/T6v0+r9Pq/9Pq9dYsKlh1YHWhmKaW7oEBpZGxAQAcESwAGAAYWC/0AAhwAPuBeaC7oZuBAW8A8QEACRBEABgNjEsg25RwBaIA/v4UoAB1oZimlu6BAaWRsQEAHBEcABgAGFgv9AAIcAD7gfEcU7trjbuLs4EAt4b3gQHxgdQ=',
  'base64',
)

const SAMPLES = 800
const SAMPLES_PER_SECOND = 8000
const WAV_HEAD_BYTES = 44

/** Creates a WAV file with a tone of a tenth of a second, one channel and 8 bits. */
export function makeSound(): Buffer {
  const file = Buffer.alloc(WAV_HEAD_BYTES + SAMPLES)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24)
  file.writeUInt32LE(SAMPLES_PER_SECOND, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(SAMPLES, 40)
  for (let index = 0; index < SAMPLES; index += 1)
    file[WAV_HEAD_BYTES + index] =
      128 + Math.round(60 * Math.sin((index * 2 * Math.PI * 440) / SAMPLES_PER_SECOND))
  return file
}

/** Creates a long, silent recording. The recording is also large, so that a jump needs bytes from its middle. */
export function makeLongSound(seconds: number): Uint8Array<ArrayBuffer> {
  const rate = 8000
  const head = Buffer.alloc(44)
  const size = seconds * rate
  head.write('RIFF', 0)
  head.writeUInt32LE(size + 36, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(size, 40)
  const file = new Uint8Array(44 + size).fill(128)
  file.set(head)
  return file
}

/** Creates a PDF with one page that contains `Hello`. */
export function makePdf(): string {
  const content = 'BT /F1 24 Tf 20 40 Td (Hello) Tj ET'
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let text = '%PDF-1.4\n'
  const starts = objects.map((object, index) => {
    const start = text.length
    text += `${index + 1} 0 obj${object}endobj\n`
    return start
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`
}
