import { sql } from 'kysely'
import { type Blank, batched } from '../../../db/prepared.ts'
import type { Db } from '../../../schema.ts'
import type { OpeningDevicesTable } from './share-opening.table.ts'

interface Preview {
  readonly shareId: string
  readonly nowMs: number
  readonly name: string | null
  readonly count: number
}

const notePreview = batched((db, { arg }: Blank<Preview>) => {
  const previewed_at_ms = arg(({ nowMs }) => nowMs)
  const previewed_by = arg(({ name }) => name)
  const previews = arg(({ count }) => count)
  return db
    .insertInto('opening_notes')
    .values({ share_id: arg(({ shareId }) => shareId), previews, previewed_at_ms, previewed_by })
    .onConflict((conflict) =>
      conflict.column('share_id').doUpdateSet({
        previews: sql<number>`opening_notes.previews + ${previews}`,
        previewed_at_ms,
        // A request without a known program name does not overwrite the last known name.
        previewed_by: sql<string | null>`coalesce(excluded.previewed_by, opening_notes.previewed_by)`,
      }),
    )
    .compile()
})

const noteWrongPin = batched((db, { arg }: Blank<{ readonly shareId: string }>) =>
  db
    .insertInto('opening_notes')
    .values({ share_id: arg(({ shareId }) => shareId), wrong_pins: 1 })
    .onConflict((conflict) =>
      conflict.column('share_id').doUpdateSet({ wrong_pins: sql<number>`opening_notes.wrong_pins + 1` }),
    )
    .compile(),
)

class ShareOpeningRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  notePreview(preview: Preview) {
    return notePreview(this.#db, preview)
  }

  noteWrongPin(shareId: string) {
    return noteWrongPin(this.#db, { shareId })
  }

  /**
   * @param ownPreviews number of previews to subtract, because they are page loads of the person who opens the share
   */
  noteOpened(share_id: string, opened_at_ms: number, ownPreviews: number) {
    return this.#db
      .insertInto('opening_notes')
      .values({ share_id, opened_at_ms })
      .onConflict((conflict) =>
        conflict.column('share_id').doUpdateSet({
          opened_at_ms,
          previews: sql<number>`case when opening_notes.previews > ${ownPreviews}
            then opening_notes.previews - ${ownPreviews} else 0 end`,
          previewed_at_ms: sql<number | null>`case when opening_notes.previews > ${ownPreviews}
            then opening_notes.previewed_at_ms end`,
        }),
      )
      .execute()
  }

  async forgetOpened(shareId: string): Promise<void> {
    await this.#db
      .updateTable('opening_notes')
      .set({ opened_at_ms: null })
      .where('share_id', '=', shareId)
      .execute()
  }

  findNotes(shareIds: readonly string[]) {
    return this.#db.selectFrom('opening_notes').selectAll().where('share_id', 'in', shareIds).execute()
  }

  /** Finds a device that has opened the share and is still allowed to open it again without using a view. */
  findDevice(shareId: string, { deviceHash, nowMs }: { deviceHash: string; nowMs: number }) {
    return this.#db
      .selectFrom('opening_devices')
      .select('expires_at_ms')
      .where('share_id', '=', shareId)
      .where('device_hash', '=', deviceHash)
      .where('expires_at_ms', '>', nowMs)
      .executeTakeFirst()
  }

  /**
   * Allows a device to reopen the share until `expires_at_ms`. Concurrent calls for the same device run one after the
   * other.
   * @returns whether the device was not allowed before
   */
  async admitDevice(row: OpeningDevicesTable): Promise<boolean> {
    const { opened_at_ms, expires_at_ms } = row
    const admitted = await this.#db
      .insertInto('opening_devices')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['share_id', 'device_hash'])
          .doUpdateSet({ opened_at_ms, expires_at_ms })
          .where('opening_devices.expires_at_ms', '<=', opened_at_ms),
      )
      .returning('share_id')
      .executeTakeFirst()
    return admitted !== undefined
  }

  async forgetDevices(shareId: string): Promise<void> {
    await this.#db.deleteFrom('opening_devices').where('share_id', '=', shareId).execute()
  }

  async deleteExpiredDevices(nowMs: number): Promise<void> {
    await this.#db.deleteFrom('opening_devices').where('expires_at_ms', '<=', nowMs).execute()
  }

  async deleteOrphanNotes(): Promise<void> {
    await this.#db
      .deleteFrom('opening_notes')
      .where('share_id', 'not in', this.#db.selectFrom('pastes').select('id'))
      .where('share_id', 'not in', this.#db.selectFrom('files').select('id'))
      .where('share_id', 'not in', this.#db.selectFrom('bundles').select('id'))
      .execute()
  }
}

export const shareOpeningRepository = (db: Db) => new ShareOpeningRepository(db)
