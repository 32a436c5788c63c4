import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
} from 'fast-check'
import { expect, test } from 'vitest'
import { createLanes } from './lanes.ts'
import { PARTS_AT_ONCE } from './limits.ts'
import { FakeClock, settle } from './testing/fake-clock.ts'
import { bytesOf, FakeServer, sourceOf } from './testing/fake-server.ts'
import { TRANSITIONS, type UploadState } from './upload-state.ts'
import { Upload } from './upload.ts'

/** A step of one of two uploads, which share their lanes. */
type Step = { readonly whose: number } & (
  | { readonly kind: 'succeed' | 'loseAnswer' | 'progress'; readonly which: number }
  | { readonly kind: 'fail'; readonly which: number; readonly verdict: 'again' | 'refresh' | 'stop' }
  | { readonly kind: 'pause' | 'resume' }
  | { readonly kind: 'wait'; readonly ms: number }
)

const whose = nat({ max: 1 })
const which = nat({ max: 5 })
const step: Arbitrary<Step> = oneof(
  { weight: 6, arbitrary: record({ whose, kind: constant('succeed' as const), which }) },
  { weight: 1, arbitrary: record({ whose, kind: constant('loseAnswer' as const), which }) },
  { weight: 1, arbitrary: record({ whose, kind: constant('progress' as const), which }) },
  {
    weight: 3,
    arbitrary: record({
      whose,
      kind: constant('fail' as const),
      which,
      verdict: constantFrom('again' as const, 'refresh' as const, 'stop' as const),
    }),
  },
  { weight: 2, arbitrary: record({ whose, kind: constantFrom('pause' as const, 'resume' as const) }) },
  {
    weight: 1,
    arbitrary: record({ whose, kind: constant('wait' as const), ms: constantFrom(1000, 300_000) }),
  },
)
const steps = array(step, { maxLength: 80 })
const setting = record({
  sizeBytes: nat({ max: 60 }),
  partSizeBytes: integer({ min: 7, max: 20 }),
  canLook: boolean(),
  abortsSlowly: boolean(),
})
type Setting = {
  readonly sizeBytes: number
  readonly partSizeBytes: number
  readonly canLook: boolean
  readonly abortsSlowly: boolean
}

function start(settings: readonly Setting[]) {
  const clock = new FakeClock()
  const lanes = createLanes(PARTS_AT_ONCE)
  const traffic = { now: 0, most: 0 }
  const sides = settings.map((setting) => {
    // An upload that cannot be resumed has only one part.
    const partSizeBytes = setting.canLook ? setting.partSizeBytes : Math.max(1, setting.sizeBytes)
    const server = new FakeServer({ ...setting, partSizeBytes }, traffic)
    const bytes = bytesOf(setting.sizeBytes)
    const upload = new Upload({ transport: server.transport(), clock, lanes, source: sourceOf(bytes) })
    const states: UploadState[] = [upload.state]
    upload.subscribe(() => {
      if (states.at(-1) !== upload.state) states.push(upload.state)
      const { sentBytes, sizeBytes, parts, state } = upload.snapshot()
      expect(sentBytes).toBeGreaterThanOrEqual(0)
      expect(sentBytes).toBeLessThanOrEqual(sizeBytes)
      if (state !== 'uploading') expect(parts.filter((part) => part.state === 'uploading')).toEqual([])
    })
    upload.start()
    return { server, bytes, upload, states }
  })
  return { clock, traffic, sides }
}

type Run = ReturnType<typeof start>
type Side = Run['sides'][number]

function act({ server, upload }: Side, action: Exclude<Step, { kind: 'wait' }>) {
  if (action.kind === 'pause') upload.pause()
  else if (action.kind === 'resume') {
    const isResumable = upload.state === 'paused' || upload.state === 'failed'
    if (isResumable) upload.resume()
    else expect(() => upload.resume()).toThrow('Only paused uploads can be resumed.')
  } else if ('which' in action) {
    const call = server.open[action.which % Math.max(1, server.open.length)]
    // Discarding never fails here, because the test expects that an abort leaves nothing open. A real server deletes
    // what a failed discard has left.
    if (call?.name === 'discard') call.succeed()
    else if (action.kind === 'fail') call?.fail(action.verdict)
    else if (action.kind === 'progress') call?.progress(action.which * 3)
    else call?.[action.kind]()
  }
}

async function apply({ clock, sides }: Run, actions: readonly Step[]) {
  for (const action of actions) {
    await settle()
    const side = sides[action.whose]
    if (action.kind === 'wait') clock.advance(action.ms)
    else if (side) act(side, action)
  }
  await settle()
}

const isOver = ({ upload, server }: Side) =>
  (upload.state === 'completed' || upload.state === 'aborted') && server.open.length === 0

/** Lets all further calls succeed. The uploads must then finish from any state. */
async function finish({ clock, sides }: Run) {
  for (let turn = 0; turn < 300 && !sides.every(isOver); turn += 1) {
    for (const { upload } of sides) {
      if (upload.state === 'paused' || upload.state === 'failed') upload.resume()
    }
    // Responds to the newest call first, so that aborted calls get a late response.
    const next = sides.flatMap(({ server }) => server.open).at(-1)
    if (next) next.succeed()
    else clock.advance(1000)
    await settle()
  }
}

function expectOrder({ clock, traffic, sides }: Run) {
  expect(traffic.most).toBeLessThanOrEqual(PARTS_AT_ONCE)
  expect(clock.timerCount).toBe(0)
  for (const { states } of sides) {
    for (const [index, state] of states.entries()) {
      const next = states[index + 1]
      if (next) expect(TRANSITIONS[state]).toContain(next)
    }
  }
}

test('with any failures, pauses and resumes, every byte arrives exactly, with at most three parts at once', async () => {
  await assert(
    asyncProperty(setting, setting, steps, async (one, other, actions) => {
      const run = start([one, other])
      await apply(run, actions)
      await finish(run)
      for (const { upload, server, bytes } of run.sides) {
        expect(upload.snapshot()).toMatchObject({
          state: 'completed',
          result: 'stored',
          sentBytes: bytes.length,
        })
        expect(server.file).toEqual(bytes)
      }
      expectOrder(run)
    }),
    { numRuns: 1000 },
  )
})

test('an abort at any moment leaves nothing on the server and nothing running', async () => {
  await assert(
    asyncProperty(setting, setting, steps, async (one, other, actions) => {
      const run = start([one, other])
      // Excludes lost responses, because without the ID from the response the client cannot discard an upload.
      await apply(
        run,
        actions.filter(({ kind }) => kind !== 'loseAnswer'),
      )
      const expected = run.sides.map(({ upload }) => (upload.state === 'completed' ? 'completed' : 'aborted'))
      for (const { upload } of run.sides) void upload.abort()
      await settle()
      await finish(run)
      expect(run.sides.map(({ upload }) => upload.state)).toEqual(expected)
      for (const { server } of run.sides)
        expect([...server.sessions.values()].filter(({ state }) => state === 'open')).toEqual([])
      expectOrder(run)
    }),
    { numRuns: 500 },
  )
})
