import { type Insertable, type Selectable, sql } from 'kysely'
import { type Blank, cachedAbsence, prepared } from '../../../db/prepared.ts'
import { rowsOf } from '../../../db/rows.ts'
import type { Db } from '../../../schema.ts'
import { type StorageName, parentKeyOf, rangeBelow } from '../../../lib/object-names.ts'
import type { DavPropertiesTable, DavTimesTable } from './object-properties.table.ts'

export type DavPropertyRow = Selectable<DavPropertiesTable>
export type DavTimeRow = Selectable<DavTimesTable>

export const TABLES = ['dav_properties', 'dav_times'] as const
/** Includes locks, because a lock is deleted with its resource. */
const ALL_TABLES = [...TABLES, 'dav_locks'] as const

export interface PropertyName {
  readonly namespace: string
  readonly name: string
}

/** Names of several files and folders in one storage. */
export interface StorageNames {
  readonly configId: string
  readonly keys: readonly string[]
}

/** The requested properties: all, all names without values, or the listed properties. */
export type PropertyQuestion = 'all' | 'names' | readonly PropertyName[]

type Asked = StorageNames & { readonly names: readonly PropertyName[] }

/** Builds a query for the rows of the given keys. */
const aboutKeys = (db: Db, { engine, arg }: Blank<Asked>, table: (typeof TABLES)[number]) => {
  const given = arg<ReadonlyArray<{ given: string }>>(({ keys }) => keys.map((key) => ({ given: key })))
  const keys = sql<string>`(select given from ${rowsOf(engine, given, { given: 'text' })} as keys)`
  return db
    .selectFrom(table)
    .where(
      'storage_config_id',
      '=',
      arg(({ configId }) => configId),
    )
    .where('storage_key', 'in', keys)
}

const anyProperty = (db: Db) => db.selectFrom('dav_properties').select('name').limit(1).compile()

/** Columns without `xml`, because the XML can be long and the query for the names does not need it. */
const PROPERTY_COLUMNS = ['storage_config_id', 'storage_key', 'parent_key', 'namespace', 'name'] as const

const findAllProperties = cachedAbsence(
  anyProperty,
  prepared((db, blank: Blank<Asked>) =>
    aboutKeys(db, blank, 'dav_properties').selectAll().$castTo<DavPropertyRow>().compile(),
  ),
)

const findPropertyNames = cachedAbsence(
  anyProperty,
  prepared((db, blank: Blank<Asked>) =>
    aboutKeys(db, blank, 'dav_properties')
      .select([...PROPERTY_COLUMNS, sql.lit('').as('xml')])
      .$castTo<DavPropertyRow>()
      .compile(),
  ),
)

const findSomeProperties = cachedAbsence(
  anyProperty,
  prepared((db, blank: Blank<Asked>) => {
    const given = blank.arg<ReadonlyArray<{ given: string }>>(({ names }) =>
      names.map(({ name }) => ({ given: name })),
    )
    const names = sql<string>`(select given from ${rowsOf(blank.engine, given, { given: 'text' })} as names)`
    return aboutKeys(db, blank, 'dav_properties')
      .where(sql.ref<string>('name'), 'in', names)
      .selectAll()
      .$castTo<DavPropertyRow>()
      .compile()
  }),
)

const findTimes = cachedAbsence(
  (db) => db.selectFrom('dav_times').select('etag').limit(1).compile(),
  prepared((db, blank: Blank<Asked>) =>
    aboutKeys(db, blank, 'dav_times').selectAll().$castTo<DavTimeRow>().compile(),
  ),
)

class PropertiesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async propertiesOf(names: StorageNames, question: PropertyQuestion): Promise<readonly DavPropertyRow[]> {
    if (question === 'all') return findAllProperties(this.#db, { ...names, names: [] })
    if (question === 'names') return findPropertyNames(this.#db, { ...names, names: [] })
    return question.length === 0 ? [] : findSomeProperties(this.#db, { ...names, names: question })
  }

  timesOf(names: StorageNames): Promise<readonly DavTimeRow[]> {
    return findTimes(this.#db, { ...names, names: [] })
  }

  /**
   * Returns the number and total characters of a file's or folder's properties. PostgreSQL sums in bigint, which can be
   * returned as text.
   */
  async sumProperties({ configId, key }: StorageName): Promise<{ count: number; length: number }> {
    const row = await this.#db
      .selectFrom('dav_properties')
      .select([
        sql<number | string>`count(*)`.as('count'),
        sql<number | string>`coalesce(sum(length(namespace) + length(name) + length(xml)), 0)`.as('sum'),
      ])
      .where('storage_config_id', '=', configId)
      .where('storage_key', '=', key)
      .executeTakeFirst()
    return { count: Number(row?.count ?? 0), length: Number(row?.sum ?? 0) }
  }

  setProperty(row: Insertable<DavPropertiesTable>) {
    return this.#db
      .insertInto('dav_properties')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['storage_config_id', 'storage_key', 'namespace', 'name'])
          .doUpdateSet({ xml: row.xml }),
      )
      .execute()
  }

  deleteProperty({ configId, key }: StorageName, { namespace, name }: PropertyName) {
    return this.#db
      .deleteFrom('dav_properties')
      .where('storage_config_id', '=', configId)
      .where('storage_key', '=', key)
      .where('namespace', '=', namespace)
      .where('name', '=', name)
      .execute()
  }

  setTime(row: Insertable<DavTimesTable>) {
    return this.#db
      .insertInto('dav_times')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['storage_config_id', 'storage_key'])
          .doUpdateSet({ etag: row.etag, modified_at_ms: row.modified_at_ms }),
      )
      .execute()
  }

  async deleteKeys(
    { configId, keys }: StorageNames,
    tables: ReadonlyArray<(typeof ALL_TABLES)[number]> = ALL_TABLES,
  ): Promise<void> {
    for (const table of tables)
      await this.#db
        .deleteFrom(table)
        .where('storage_config_id', '=', configId)
        .where('storage_key', 'in', keys)
        .execute()
  }

  deleteLocksBelow({ configId, key }: StorageName): Promise<unknown> {
    const { from, to } = rangeBelow(key)
    const below = this.#db
      .deleteFrom('dav_locks')
      .where('storage_config_id', '=', configId)
      .where('storage_key', '>=', from)
      .where('storage_key', '!=', key)
    return (to === null ? below : below.where('storage_key', '<', to)).execute()
  }

  forgetTime({ configId, key }: StorageName) {
    return this.#db
      .deleteFrom('dav_times')
      .where('storage_config_id', '=', configId)
      .where('storage_key', '=', key)
      .execute()
  }

  /** Deletes all rows of a file or folder and of everything below it. */
  async deleteTree(
    { configId, key }: StorageName,
    tables: ReadonlyArray<(typeof ALL_TABLES)[number]> = ALL_TABLES,
  ): Promise<void> {
    const { from, to } = rangeBelow(key)
    for (const table of tables)
      await this.#db
        .deleteFrom(table)
        .where('storage_config_id', '=', configId)
        .where((eb) =>
          eb.or([
            eb('storage_key', '=', key),
            eb.and([eb('storage_key', '>=', from), ...(to === null ? [] : [eb('storage_key', '<', to)])]),
          ]),
        )
        .execute()
  }

  /**
   * Copies the properties of a file or folder and of everything below it. Targets that already have properties are
   * skipped.
   */
  async copyTree(from: StorageName, to: StorageName): Promise<void> {
    const range = rangeBelow(from.key)
    const parent = parentKeyOf(to.key) ?? ''
    // Both engines count code points in `substr`.
    const cut = [...from.key].length + 1
    // Replacement for the prefix of the keys below the folder.
    const glue = from.key === '' ? `${to.key}/` : to.key
    const renamed = (column: 'storage_key' | 'parent_key') => {
      const given = sql.ref(`given.${column}`)
      return sql<string>`case when ${given} = ${from.key} then ${to.key} else ${glue} || substr(${given}, ${sql.lit(cut)}) end`
    }
    const parentOf = sql<string>`case when storage_key = ${from.key} then ${parent} else ${renamed('parent_key')} end`
    const below = sql<boolean>`(storage_key = ${from.key} or (storage_key >= ${range.from} and storage_key < ${range.to ?? '\u{10ffff}'}))`
    // Properties of source and target are not merged, because together they could exceed the limit.
    const isBare = sql<boolean>`not exists (select 1 from dav_properties as there
        where there.storage_config_id = ${to.configId} and there.storage_key = ${renamed('storage_key')})`
    await sql`insert into dav_properties (storage_config_id, storage_key, parent_key, namespace, name, xml)
        select ${to.configId}, ${renamed('storage_key')}, ${parentOf}, namespace, name, xml
        from dav_properties as given where storage_config_id = ${from.configId} and ${below} and ${isBare}
        on conflict do nothing`.execute(this.#db)
  }
}

export const propertiesRepository = (db: Db) => new PropertiesRepository(db)
