import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import type { S3Gateway } from './gateway.setup.ts'

const run = promisify(execFile)

const PACKAGES = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common', 'ceph-base']
const PROGRAMS = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'ceph-authtool', 'monmaptool']
/** Prefix of the names of gateway folders. The id of the process that started the gateway follows. */
export const FOLDER_START = 'dropleaf-gateway-'
const READY_TIMEOUT_MS = 60_000
/** Each bucket is a subdomain of this name. */
const DNS_NAME = 'localhost'
const KEYS = { accessKeyId: 'testkey', secretAccessKey: 'testsecret' }
/**
 * Subsystems of the daemons whose logging is turned off. They would otherwise collect entries for a crash dump at each
 * request.
 */
const UNLOGGED = ['default', 'ms', 'rgw', 'osd', 'objecter', 'monc', 'mon', 'auth', 'objclass', 'optracker']
/** Without these options the daemons switch to their own user, who cannot write to the folder. */
const AS_ROOT = ['--setuser', 'root', '--setgroup', 'root']

export interface CephGateway {
  readonly gateway: S3Gateway
  /**
   * Frees the space of deleted and overwritten objects. By itself, the gateway waits two hours before it frees space,
   * and stops responding when it is full.
   */
  readonly collectGarbage: () => Promise<void>
  /** Kills the gateway, and starts it again after a while. Stored objects and parts stay. */
  readonly interrupt: (downMs: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts a real S3 server on loopback: one monitor, one OSD that stores everything in memory (8 GiB), and a RADOS
 * gateway. Needs root and Debian's packages, which are installed if missing. Ready in about 3 s. Runs without a Ceph
 * manager, which would use more resources than all other daemons and is not needed.
 */
export async function startCephGateway(): Promise<CephGateway> {
  await stopLeftOver()
  await ensureInstalled()
  const folder = await mkdtemp(join(tmpdir(), `${FOLDER_START}${process.pid}-`))
  const stop = () => stopDaemons(folder)
  try {
    const [port, monitorPort] = await Promise.all([freePort(), freePort()])
    await startDaemons(folder, { port, monitorPort })
    const endpointUrl = `http://127.0.0.1:${port}`
    return {
      gateway: { endpointUrl, virtualHostUrl: `http://${DNS_NAME}:${port}`, ...KEYS },
      collectGarbage: () => administer(folder, ['gc', 'process', '--include-all']),
      async interrupt(downMs) {
        await stopProcess(Number(await readFile(join(folder, 'run/radosgw.pid'), 'utf8')))
        await sleep(downMs)
        await startGateway(folder, port)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function ensureInstalled(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('Only root can start a Ceph gateway.')
  if (PROGRAMS.every(isInstalled)) return
  if (!isInstalled('apt-get'))
    throw new Error(`There are no ${PACKAGES.join(', ')}, and no apt-get to install them.`)
  console.log(`Installing ${PACKAGES.join(', ')} for the storage tests.`)
  const apt = (args: string[]) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 ** 2,
    })
  await apt(['update'])
  await apt(['install', '-y', '--no-install-recommends', ...PACKAGES])
}

function isInstalled(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/bin', '/usr/sbin']
  return folders.some((folder) => existsSync(join(folder, program)))
}

async function startDaemons(folder: string, ports: { port: number; monitorPort: number }): Promise<void> {
  const names = ['mon', 'osd', 'rgw', 'run', 'log']
  for (const name of names) await mkdir(join(folder, name))
  const configuration = join(folder, 'ceph.conf')
  const keyring = join(folder, 'keyring')
  const monmap = join(folder, 'monmap')
  const [fsid, osd] = [randomUUID(), randomUUID()]
  await writeFile(configuration, configurationText(folder, { ...ports, fsid }))
  const grant = (who: string, caps: string[]) =>
    run('ceph-authtool', [keyring, '--gen-key', '-n', who, ...caps])
  await run('ceph-authtool', ['--create-keyring', keyring])
  await grant('mon.', ['--cap', 'mon', 'allow *'])
  const all = ['mon', 'osd'].flatMap((kind) => ['--cap', kind, 'allow *'])
  for (const who of ['client.admin', 'client.rgw', 'osd.0']) await grant(who, all)
  const monitor = `127.0.0.1:${ports.monitorPort}`
  await run('monmaptool', ['--create', '--add', 'a', monitor, '--fsid', fsid, monmap])
  const ceph = (program: string, args: string[]) =>
    run(program, ['-c', configuration, ...args], { timeout: READY_TIMEOUT_MS })
  await ceph('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', monmap, '--keyring', keyring])
  await ceph('ceph-mon', ['-i', 'a', ...AS_ROOT])
  await ceph('ceph', ['osd', 'new', osd, '0'])
  await ceph('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', osd, ...AS_ROOT])
  await ceph('ceph-osd', ['-i', '0', ...AS_ROOT])
  await startGateway(folder, ports.port)
  const user = ['--uid=test', '--display-name=test', '--access-key=testkey', '--secret-key=testsecret']
  await administer(folder, ['user', 'create', ...user])
}

async function administer(folder: string, command: string[]): Promise<void> {
  const own = ['-c', join(folder, 'ceph.conf'), '-n', 'client.rgw']
  const socket = ['--admin-socket', join(folder, 'run/admin.asok')]
  await run('radosgw-admin', [...own, ...socket, ...command], { timeout: READY_TIMEOUT_MS })
}

async function startGateway(folder: string, port: number): Promise<void> {
  const output = openSync(join(folder, 'log/radosgw.out'), 'a')
  const args = ['-c', join(folder, 'ceph.conf'), '-n', 'client.rgw', ...AS_ROOT, '-f']
  const gateway = spawn('radosgw', args, { stdio: ['ignore', output, output], detached: true })
  gateway.unref()
  await writeFile(join(folder, 'run/radosgw.pid'), String(gateway.pid))
  const deadlineMs = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadlineMs) {
    const isReady = await fetch(`http://127.0.0.1:${port}`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    await sleep(200)
  }
  throw new Error('The Ceph gateway did not answer in time.')
}

/** Stops daemons that killed runs have left behind. */
async function stopLeftOver(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${FOLDER_START}(\\d+)-`).exec(name)?.[1])
    if (pid && !isRunning(pid)) await stopDaemons(join(tmpdir(), name))
  }
}

async function stopDaemons(folder: string): Promise<void> {
  const names = existsSync(join(folder, 'run')) ? await readdir(join(folder, 'run')) : []
  await Promise.all(
    names
      .filter((name) => name.endsWith('.pid'))
      .map(async (name) => {
        const pid = Number(await readFile(join(folder, 'run', name), 'utf8'))
        if (pid > 1 && (await isOurs(pid, folder))) await stopProcess(pid)
      }),
  )
  await rm(folder, { recursive: true, force: true })
}

/** Whether the process id still belongs to a daemon of this folder. */
async function isOurs(pid: number, folder: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.includes(folder)
}

/** Kills the process without a shutdown, because its data is temporary, and the gateway takes seconds to shut down. */
async function stopProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  for (let turn = 0; turn < 100 && isRunning(pid); turn += 1) await sleep(20)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function configurationText(folder: string, o: { fsid: string; port: number; monitorPort: number }): string {
  return `[global]
fsid=${o.fsid}
mon_host=127.0.0.1:${o.monitorPort}
public_addr=127.0.0.1
auth_cluster_required=cephx
auth_service_required=cephx
auth_client_required=cephx
keyring=${folder}/keyring
osd_pool_default_size=1
osd_pool_default_min_size=1
osd_crush_chooseleaf_type=0
osd_pool_default_pg_num=1
osd_pool_default_pgp_num=1
osd_pool_default_pg_autoscale_mode=off
mon_warn_on_pool_no_redundancy=false
mon_allow_pool_size_one=true
mon_data_avail_warn=1
mon_data_avail_crit=0
mon_max_pg_per_osd=1000
${UNLOGGED.map((part) => `debug_${part}=0/0`).join('\n')}
ms_crc_data=false
ms_crc_header=false
osd_enable_op_tracker=false
run_dir=${folder}/run
pid_file=${folder}/run/$name.pid
admin_socket=${folder}/run/$name.asok
log_file=${folder}/log/$name.log
[mon.a]
mon_data=${folder}/mon
mon_addr=127.0.0.1:${o.monitorPort}
paxos_propose_interval=0.05
paxos_min_wait=0.01
[osd.0]
osd_data=${folder}/osd
osd_objectstore=memstore
memstore_device_bytes=8589934592
[client.rgw]
rgw_frontends=beast endpoint=127.0.0.1:${o.port}
rgw_data=${folder}/rgw
rgw_dns_name=${DNS_NAME}
`
}
