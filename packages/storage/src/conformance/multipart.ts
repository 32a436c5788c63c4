import { beforeEach, describe, expect, test } from 'vitest'
import type { PartStat, UploadRef } from '../driver.ts'
import { PART_MIN_BYTES } from '../parts.ts'
import { type Bench, expectError, randomBody, sha256, slowBody, stuckBody, textBody } from './fixture.ts'

/** Cases for multipart uploads. They are skipped on a driver without multipart uploads. */
export function multipartCases(bench: () => Bench): void {
  describe('multipart uploads', () => {
    beforeEach(({ skip }) => {
      skip(bench().driver.multipart === null, 'no multipart uploads')
    })

    /** Two parts of 5 MiB and one of 3 bytes. */
    const three = () => {
      const sizes = [PART_MIN_BYTES, PART_MIN_BYTES, 3]
      const parts = sizes.map(randomBody)
      return { parts, hash: sha256(Buffer.concat(parts.map(({ bytes }) => bytes))) }
    }
    const upload = async (
      b: Bench,
      ref: UploadRef,
      order: number[],
      parts: ReturnType<typeof randomBody>[],
    ) => {
      const done: PartStat[] = []
      for (const index of order) {
        const part = parts[index]
        if (!part) throw new Error('No such part.')
        const options = { sizeBytes: part.bytes.length }
        done.push(await b.multipart.uploadPart(ref, index + 1, part.body(), options))
      }
      return done.toSorted((x, y) => x.partNumber - y.partNumber)
    }

    test.each([{ order: [0, 1, 2] }, { order: [2, 0, 1] }])(
      'parts uploaded in the order $order',
      async ({ order }) => {
        const b = bench()
        const { parts, hash } = three()
        const ref = await b.multipart.create(b.key('深/big'), { contentType: 'video/mp4' })
        const done = await upload(b, ref, order, parts)
        expect(done.map(({ sizeBytes }) => sizeBytes)).toEqual([PART_MIN_BYTES, PART_MIN_BYTES, 3])
        const stat = await b.multipart.complete(ref, done)
        expect(stat).toMatchObject({ key: b.key('深/big'), sizeBytes: 2 * PART_MIN_BYTES + 3 })
        expect(sha256(await b.bytes('深/big'))).toBe(hash)
        expect((await b.driver.stat(b.key('深/big')))?.etag).toBe(stat.etag)
      },
    )

    test('concurrent parts', async () => {
      const b = bench()
      const { parts, hash } = three()
      const ref = await b.multipart.create(b.key('big'))
      const done = await Promise.all(
        parts.map(({ body }, index) => b.multipart.uploadPart(ref, index + 1, body())),
      )
      await b.multipart.complete(ref, done)
      expect(sha256(await b.bytes('big'))).toBe(hash)
    })

    test('nothing is visible before completion, and the upload is deleted after it', async () => {
      const b = bench()
      await b.put('a', 'old')
      const ref = await b.multipart.create(b.key('a'))
      const part = await b.multipart.uploadPart(ref, 1, textBody('new'))
      expect(await b.text('a')).toBe('old')
      expect((await b.list()).objects).toEqual(['a'])
      await b.multipart.complete(ref, [part])
      expect(await b.text('a')).toBe('new')
      await expectError(b.multipart.listParts(ref), 'storage.not_found')
    })

    test('a sweep of one object removes its unused uploads, and no others', async () => {
      const b = bench()
      const [gone, used, other] = await Promise.all(
        ['a 1', 'a 1', 'a 1b'].map((name) => b.multipart.create(b.key(name))),
      )
      if (!gone || !used || !other) throw new Error('No uploads.')
      await b.multipart.uploadPart(gone, 1, textBody('gone'))
      const isInUse = (uploadId: string) => Promise.resolve(uploadId === used.uploadId)
      await b.driver.sweepTemporary({ olderThanMs: -60_000, key: b.key('a 1'), isInUse })
      await expectError(b.multipart.listParts(gone), 'storage.not_found')
      for (const kept of [used, other]) {
        const part = await b.multipart.uploadPart(kept, 1, textBody('kept'))
        await b.multipart.complete(kept, [part])
      }
      expect((await b.list()).objects).toEqual(['a 1', 'a 1b'])
    })

    test('listParts, in pages', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('a'))
      expect(await b.multipart.listParts(ref)).toEqual({ parts: [], nextCursor: null })
      for (const number of [10, 2, 1, 700])
        await b.multipart.uploadPart(ref, number, textBody(`part ${number}`))
      const first = await b.multipart.listParts(ref, { limit: 3 })
      expect(first.parts.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes])).toEqual([
        [1, 6],
        [2, 6],
        [10, 7],
      ])
      const second = await b.multipart.listParts(ref, { limit: 3, cursor: first.nextCursor ?? '' })
      expect(second).toMatchObject({ parts: [{ partNumber: 700, sizeBytes: 8 }], nextCursor: null })
      await b.multipart.abort(ref)
    })

    test('uploading a part again replaces it', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('a'))
      const first = await b.multipart.uploadPart(ref, 1, textBody('first'))
      const second = await b.multipart.uploadPart(ref, 1, textBody('second'))
      expect(second.etag).not.toBe(first.etag)
      expect((await b.multipart.listParts(ref)).parts).toEqual([second])
      await expectError(b.multipart.complete(ref, [first]), 'storage.invalid_part')
      await b.multipart.complete(ref, [second])
      expect(await b.text('a')).toBe('second')
    })

    test('a wrong list of parts is rejected, and the upload continues', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('a'))
      const { body } = randomBody(PART_MIN_BYTES)
      const one = await b.multipart.uploadPart(ref, 1, body())
      const two = await b.multipart.uploadPart(ref, 2, textBody('two'))
      const wrong = [
        [],
        [two, one],
        [one, one],
        [one, { ...two, etag: one.etag }],
        [one, { ...two, partNumber: 3 }],
      ]
      for (const parts of wrong) await expectError(b.multipart.complete(ref, parts), 'storage.invalid_part')
      expect(await b.driver.stat(b.key('a'))).toBeNull()
      expect(await b.multipart.complete(ref, [one, two])).toMatchObject({ sizeBytes: PART_MIN_BYTES + 3 })
    })

    test('parts with gaps in their numbers', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('a'))
      const { bytes, body } = randomBody(PART_MIN_BYTES)
      const five = await b.multipart.uploadPart(ref, 5, body())
      const last = await b.multipart.uploadPart(ref, 10_000, textBody('end'))
      await b.multipart.complete(ref, [five, last])
      expect(sha256(await b.bytes('a'))).toBe(sha256(Buffer.concat([bytes, Buffer.from('end')])))
    })

    test('unnamed parts: left out, or rejected with every part kept', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('a'))
      await b.multipart.uploadPart(ref, 1, textBody('left out'))
      const last = await b.multipart.uploadPart(ref, 2, textBody('end'))
      const complete = b.multipart.complete(ref, [last])
      if (b.harness.leavesPartsOut) {
        await complete
        expect(await b.text('a')).toBe('end')
        return
      }
      await expect(complete).rejects.toThrow()
      expect((await b.multipart.listParts(ref)).parts).toHaveLength(2)
      expect(await b.driver.stat(b.key('a'))).toBeNull()
      await b.multipart.abort(ref)
    })

    test('part numbers run from 1 to 10,000', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('a'))
      for (const number of [0, -1, 10_001, 1.5, Number.NaN]) {
        const call = b.multipart.uploadPart(ref, number, textBody('x'))
        await expect(call).rejects.toMatchObject({ code: 'storage.invalid_part' })
      }
      await b.multipart.abort(ref)
    })

    test('failed parts leave nothing', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('a'))
      const send = (body: ReturnType<typeof textBody>, o: object) => b.multipart.uploadPart(ref, 1, body, o)
      const failure = new Error('The source failed.')
      await expectError(send(slowBody(['abc']), { sizeBytes: 4 }), 'storage.incomplete')
      await expectError(send(slowBody(['abc', 'def']), { sizeBytes: 5 }), 'storage.too_large')
      await expectError(send(slowBody(['abc', 'def']), { maxBytes: 5 }), 'storage.too_large')
      await expect(send(slowBody(['abc', failure]), { sizeBytes: 9 })).rejects.toBe(failure)
      const signal = AbortSignal.timeout(30)
      await expect(send(stuckBody(), { sizeBytes: 9, signal })).rejects.toMatchObject({
        name: 'TimeoutError',
      })
      expect((await b.multipart.listParts(ref)).parts).toEqual([])
      await b.multipart.abort(ref)
      expect(await b.remains()).toEqual([])
    })

    test('abort leaves nothing, also twice', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('x/a'))
      const part = await b.multipart.uploadPart(ref, 1, textBody('abc'))
      await b.multipart.abort(ref)
      await b.multipart.abort(ref)
      expect(await b.remains()).toEqual([])
      await expectError(b.multipart.listParts(ref), 'storage.not_found')
      await expectError(b.multipart.complete(ref, [part]), 'storage.not_found')
      await expectError(b.multipart.uploadPart(ref, 1, textBody('abc')), 'storage.not_found')
    })

    test('another driver continues an upload by its id', async () => {
      const b = bench()
      const { parts, hash } = three()
      const ref = await b.multipart.create(b.key('big'))
      await upload(b, ref, [0, 2], parts)
      const other = await b.harness.reopen()
      const kept = (await other.multipart?.listParts({ ...ref }))?.parts ?? []
      expect(kept.map(({ partNumber }) => partNumber)).toEqual([1, 3])
      const [second] = await upload(b, ref, [1], parts)
      const all = [...kept, ...(second ? [second] : [])].toSorted((x, y) => x.partNumber - y.partNumber)
      await other.multipart?.complete({ ...ref }, all)
      expect(sha256(await b.bytes('big'))).toBe(hash)
      await other.close()
    })

    test('an upload belongs to its key only', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('a'))
      const part = await b.multipart.uploadPart(ref, 1, textBody('abc'))
      const stolen = { ...ref, key: b.key('b') }
      await expectError(b.multipart.uploadPart(stolen, 1, textBody('x')), 'storage.not_found')
      await expectError(b.multipart.listParts(stolen), 'storage.not_found')
      await expectError(b.multipart.complete(stolen, [part]), 'storage.not_found')
      await b.multipart.abort(stolen)
      expect((await b.multipart.listParts(ref)).parts).toEqual([part])
      await b.multipart.abort(ref)
    })

    test('uploads of one key do not mix', async () => {
      const b = bench()
      const one = await b.multipart.create(b.key('a'))
      const two = await b.multipart.create(b.key('a'))
      expect(one.uploadId).not.toBe(two.uploadId)
      const partOne = await b.multipart.uploadPart(one, 1, textBody('one'))
      await b.multipart.uploadPart(two, 1, textBody('two'))
      await b.multipart.abort(two)
      await b.multipart.complete(one, [partOne])
      expect(await b.text('a')).toBe('one')
    })

    test('completion with ifAbsent keeps the existing object, and the parts', async () => {
      const b = bench()
      const ref = await b.multipart.create(b.key('a'))
      const part = await b.multipart.uploadPart(ref, 1, textBody('second'))
      await b.put('a', 'first')
      await expectError(b.multipart.complete(ref, [part], { ifAbsent: true }), 'storage.exists')
      expect(await b.text('a')).toBe('first')
      await b.multipart.complete(ref, [part])
      expect(await b.text('a')).toBe('second')
    })

    test.each(['nothing', '', '.', '..', '../..', 'a/b', '..%2f', '\0', 'x'.repeat(500)])(
      'the upload id %j is unknown',
      async (uploadId) => {
        const b = bench()
        const ref = { key: b.key('a'), uploadId }
        const calls = [() => b.multipart.listParts(ref), () => b.multipart.uploadPart(ref, 1, textBody('x'))]
        for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'storage.not_found' })
        await expect(b.multipart.abort(ref)).resolves.toBeUndefined()
      },
    )
  })
}
