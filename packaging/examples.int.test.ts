import { execFileSync, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const UNIT = 'packaging/examples/dropleaf.service'
const RATE = ['security', '--offline=true', UNIT]
const hasSystemd = spawnSync('systemd-analyze', RATE).status === 0

test('the systemd service cannot write its own code, and has no capabilities', async () => {
  const lines = (await readFile(UNIT, 'utf8')).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining(['ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=']),
  )
  expect(lines.filter((line) => /^(?:ReadWritePaths|BindPaths)=/.test(line))).toEqual([])
})

test.skipIf(!hasSystemd)('systemd rates the service below 3', () => {
  const said = execFileSync('systemd-analyze', RATE, { encoding: 'utf8' })
  expect(Number(/exposure level .*: ([\d.]+)/.exec(said)?.[1])).toBeLessThan(3)
})
