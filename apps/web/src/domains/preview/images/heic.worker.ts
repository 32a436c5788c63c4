import libheif from 'libheif-js/libheif/libheif.js'
import { answerRequests } from '../reading/answer-requests.ts'
import { drawPage, type DecodedPage, type DecodeRequest } from './decoded-page.ts'

interface HeifImage {
  get_width(): number
  get_height(): number
  display(
    target: { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number },
    done: (result: unknown) => void,
  ): void
  free(): void
}

interface Heif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): readonly HeifImage[] }
}

let started: Promise<Heif> | null = null

/** Starts the decoder for the first picture, and again after a failure, for example if memory was short. */
async function startedHeif(): Promise<Heif> {
  started ??= Promise.resolve((libheif as unknown as () => Heif | Promise<Heif>)())
  try {
    return await started
  } catch (error) {
    started = null
    throw error
  }
}

answerRequests(async ({ bytes, page }: DecodeRequest): Promise<DecodedPage> => {
  const heif = await startedHeif()
  const images = new heif.HeifDecoder().decode(bytes)
  const image = images[page]
  if (!image) throw new Error('There is no such picture in the file.')
  const width = image.get_width()
  const height = image.get_height()
  const data = new Uint8ClampedArray(width * height * 4)
  await new Promise<void>((resolve, reject) => {
    image.display({ data, width, height }, (result) =>
      result ? resolve() : reject(new Error('The picture could not be decoded.')),
    )
  })
  return { picture: await drawPage(data, { width, height }), pages: images.length }
})
