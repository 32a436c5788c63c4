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

answerRequests(async ({ bytes, page }: DecodeRequest): Promise<DecodedPage> => {
  started ??= Promise.resolve((libheif as unknown as () => Heif | Promise<Heif>)())
  const heif = await started
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
