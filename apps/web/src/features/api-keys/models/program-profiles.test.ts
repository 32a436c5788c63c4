import { expect, test } from 'vitest'
import { profileOf, type Program, programsFor } from './program-profiles.ts'

const key = { name: 'Camera', key: 'secret-of-a-key', text_permission: 1, file_permission: 1 } as const
const server = 'https://share.example.org:8443/drop'
const made = (program: Program) => JSON.parse(profileOf(program, { server, key }).content)

test('a key is offered the profiles for its permissions', () => {
  expect(programsFor(key)).toEqual(['sharexFiles', 'sharexTexts', 'picgo', 'upic'])
  expect(programsFor({ ...key, file_permission: 0 })).toEqual(['sharexTexts'])
  expect(programsFor({ ...key, text_permission: 0, file_permission: 0 })).toEqual([])
})

test('ShareX sends files as a form, and texts as JSON', () => {
  expect(profileOf('sharexFiles', { server, key }).name).toBe('dropleaf-share.example.org-8443.sxcu')
  expect(made('sharexFiles')).toEqual({
    Version: '15.0.0',
    Name: 'Dropleaf share.example.org:8443',
    DestinationType: 'ImageUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: `${server}/api/upload`,
    Headers: { Authorization: 'ApiKey secret-of-a-key' },
    Body: 'MultipartFormData',
    FileFormName: 'file',
    URL: 'https://share.example.org:8443{json:data.url}',
    ThumbnailURL: '{json:data.previewUrl}',
    ErrorMessage: '{json:message}',
  })
  const text = made('sharexTexts')
  expect(text).toMatchObject({
    DestinationType: 'TextUploader',
    Body: 'JSON',
    URL: `${server}/paste/{json:slug}`,
  })
  expect(JSON.parse(text.Data)).toEqual({ content: '{input}', content_type: 'text/plain' })
})

test('PicGo gets its plugin and the header as a JSON string', () => {
  const { picBed, picgoPlugins } = made('picgo')
  expect([picBed.current, picgoPlugins]).toEqual(['web-uploader', { 'picgo-plugin-web-uploader': true }])
  expect(picBed['web-uploader']).toMatchObject({ url: `${server}/api/upload`, jsonPath: 'data.previewUrl' })
  expect(JSON.parse(picBed['web-uploader'].customHeader)).toEqual({ Authorization: 'ApiKey secret-of-a-key' })
})

test('uPic gets a list of JSON strings', () => {
  const hosts = made('upic') as string[]
  const host = JSON.parse(hosts[0] ?? '')
  expect([hosts.length, host.type]).toEqual([1, 'custom'])
  const data = JSON.parse(host.data)
  expect(data).toMatchObject({ url: `${server}/api/upload`, method: 'POST', field: 'file' })
  expect(JSON.parse(data.headers)).toEqual([{ key: 'Authorization', value: 'ApiKey secret-of-a-key' }])
  expect(JSON.parse(data.resultPath)).toEqual(['data', 'previewUrl'])
})
