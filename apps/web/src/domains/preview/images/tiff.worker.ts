import { decode, pageCount } from 'tiff'
import { answerRequests } from '../reading/answer-requests.ts'
import { drawPage, type DecodedPage, type DecodeRequest } from './decoded-page.ts'
import { toRgba } from './rgba.ts'

answerRequests(async ({ bytes, page }: DecodeRequest): Promise<DecodedPage> => {
  const pages = pageCount(bytes)
  const [image] = decode(bytes, { pages: [page] })
  if (!image) throw new Error('There is no such page in the file.')
  const pixels = toRgba({
    width: image.width,
    height: image.height,
    samples: image.samplesPerPixel,
    bits: image.bitsPerSample,
    isInverted: image.type === 0,
    palette: image.palette ?? null,
    data: image.data,
  })
  return { picture: await drawPage(pixels, image), pages }
})
