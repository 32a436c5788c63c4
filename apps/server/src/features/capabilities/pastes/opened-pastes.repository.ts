import { ARMED, isAlive, isLimitedDirect, viewTaken } from '../../../db/share-queries.ts'
import type { Db } from '../../../schema.ts'
import type { PasteFilter } from './pastes.repository.ts'
import { type PasteRow, VISITED_COLUMNS, type VisitedPaste } from './pastes.table.ts'

/** The columns that decide whether a text opens. They do not include the content. */
const OPENED_COLUMNS = [
  'id',
  'slug',
  'password_hash',
  'pin_hash',
  'opening',
  'grace_until_ms',
  'expires_at_ms',
  'max_views',
  'views',
  'purged_at_ms',
] as const satisfies ReadonlyArray<keyof PasteRow>

export type OpenedPaste = Pick<PasteRow, (typeof OPENED_COLUMNS)[number]>

class OpenedPastesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  find(slug: string): Promise<OpenedPaste | undefined> {
    return this.#db.selectFrom('pastes').select(OPENED_COLUMNS).where('slug', '=', slug).executeTakeFirst()
  }

  read(id: string): Promise<VisitedPaste | undefined> {
    return this.#db
      .selectFrom('pastes')
      .select(VISITED_COLUMNS)
      .where('id', '=', id)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()
  }

  /**
   * Counts a view, and retains the contents until `graceUntilMs`. @returns `undefined` if the share has expired, is
   * used up or has another link suffix
   */
  takeView(
    { id, slug }: Pick<PasteRow, 'id' | 'slug'>,
    { nowMs, graceUntilMs }: { nowMs: number; graceUntilMs: number },
  ): Promise<VisitedPaste | undefined> {
    return this.#db
      .updateTable('pastes')
      .set(viewTaken(graceUntilMs))
      .where('id', '=', id)
      .where('slug', '=', slug)
      .where(isAlive(nowMs))
      .returning(VISITED_COLUMNS)
      .executeTakeFirst()
  }

  /** Resets the view count of a share that is not purged. @returns whether the share exists */
  async arm(id: string): Promise<boolean> {
    const result = await this.#db
      .updateTable('pastes')
      .set(ARMED)
      .where('id', '=', id)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  async askLimited(filter: PasteFilter): Promise<number> {
    const result = await this.#db
      .updateTable('pastes')
      .set({ opening: 'ask' })
      .where(isLimitedDirect(filter))
      .executeTakeFirst()
    return Number(result.numUpdatedRows)
  }
}

export const openedPastesRepository = (db: Db) => new OpenedPastesRepository(db)
