import { account } from './account.ts'
import { audit } from './audit.ts'
import { backup } from './backup.ts'
import { allShares, bundleEditing } from './bundles.ts'
import { dashboard } from './dashboard.ts'
import { adminErrors } from './errors.ts'
import { environment } from './environment.ts'
import { manage, table } from './frame.ts'
import { keys } from './keys.ts'
import { mounts } from './mounts.ts'
import { sessions } from './sessions.ts'
import { reconciliation } from './reconciliation.ts'
import { samples } from './samples.ts'
import { settings } from './settings.ts'
import { fileShares, shares, texts } from './shares.ts'
import { strength } from './strength.ts'
import { storages } from './storages.ts'
import { webdav } from './webdav.ts'
import { welcome } from './welcome.ts'

/** The texts of the admin panel. */
export const adminWords = {
  errors: adminErrors,
  manage,
  table,
  dashboard,
  reconciliation,
  shares,
  allShares,
  bundleEditing,
  texts,
  fileShares,
  storages,
  mounts,
  keys,
  settings,
  account,
  sessions,
  environment,
  strength,
  backup,
  audit,
  webdav,
  welcome,
  samples,
}
