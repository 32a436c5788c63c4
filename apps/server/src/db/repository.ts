import type { Db } from '../schema.ts'

/**
 * Makes a repository once for each database, and for each transaction. V8 keeps what it has compiled of a function as long as one
 * of its kind lives: of repositories that came and went with the requests, each large collection took all of it.
 * @param create `rest` must follow from the database, as its engine does.
 */
export function repositoryOf<Rest extends readonly unknown[], Repository extends object>(
  create: (db: Db, ...rest: Rest) => Repository,
): (db: Db, ...rest: Rest) => Repository {
  const made = new WeakMap<Db, Repository>()
  return (db, ...rest) => {
    const known = made.get(db)
    if (known) return known
    const repository = create(db, ...rest)
    made.set(db, repository)
    return repository
  }
}
