import { initial } from "./0001-initial.ts";
import { priceRanges } from "./0002-price-ranges.ts";
import { audit } from "./0003-audit.ts";
import { usage } from "./0004-usage.ts";
import { signIn } from "./0005-sign-in.ts";
import { vehicleDocuments } from "./0006-vehicle-documents.ts";
import { endings } from "./0008-endings.ts";
import { signInAttempts } from "./0009-sign-in-attempts.ts";
import { proofs } from "./0010-proofs.ts";
import { auditSight } from "./0011-audit-sight.ts";
import { rebinding } from "./0012-rebinding.ts";
import { searchWords } from "./0013-search-words.ts";
import { auditTrails } from "./0014-audit-trails.ts";
import { oldSecrets } from "./0015-old-secrets.ts";
import { settings } from "./0016-settings.ts";
import { vehicleHistory } from "./0017-vehicle-history.ts";
import { vehicleSpellings } from "./0018-vehicle-spellings.ts";
import { vehicleWords } from "./0019-vehicle-words.ts";
import { dealerCoordinates } from "./0020-dealer-coordinates.ts";
import { removedVehicles } from "./0021-removed-vehicles.ts";
import { dailyFigures } from "./0022-daily-figures.ts";
import { jobs } from "./0023-jobs.ts";
import { imports } from "./0024-imports.ts";
import { storedSpellings } from "./0025-stored-spellings.ts";
import { feedPermissions } from "./0026-feed-permissions.ts";
import { publish } from "./0027-publish.ts";
import { importMappings } from "./0028-import-mappings.ts";
import { importSources } from "./0029-import-sources.ts";
import { feeds } from "./0030-feeds.ts";
import { dealerSorts } from "./0031-dealer-sorts.ts";
import { switchedOff } from "./0032-switched-off.ts";
import { dealerFigures } from "./0034-dealer-figures.ts";
import { spellingUse } from "./0035-spelling-use.ts";
import { soldPrices } from "./0036-sold-prices.ts";
import { uniqueVin } from "./0037-unique-vin.ts";
import { publicKeys } from "./0038-public-keys.ts";
import { recentChanges } from "./0039-recent-changes.ts";
import { dateOrder } from "./0041-date-order.ts";
import { importBases } from "./0042-import-bases.ts";
import { nameForms } from "./0043-name-forms.ts";
import { tradeFields } from "./0044-trade-fields.ts";
import { changeFeed } from "./0045-change-feed.ts";
import { keptAnswers } from "./0046-kept-answers.ts";
import { keyNetworks } from "./0047-key-networks.ts";
import { photos } from "./0048-photos.ts";
import { webhooks } from "./0049-webhooks.ts";
import { keyLife } from "./0050-key-life.ts";
import { keyOwners } from "./0051-key-owners.ts";
import { unusedKeys } from "./0052-unused-keys.ts";
import { today } from "./0053-today.ts";
import { scheduledChanges } from "./0054-scheduled-changes.ts";
import { operators } from "./0055-operators.ts";
import { stockNumberEnds } from "./0056-stock-number-ends.ts";
import { fetchedPhotos } from "./0057-fetched-photos.ts";
import { keptAnswerShares } from "./0058-kept-answer-shares.ts";
import { mappingValues } from "./0059-mapping-values.ts";
import { offboardings } from "./0060-offboardings.ts";
import { readableProgress } from "./0061-readable-progress.ts";
import type { Migration } from "./migration.ts";

/**
 * Every migration in order. They are listed by hand so that a compiled binary contains them. Append only; never change
 * a released migration. None was ever released with the number 0007.
 */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  priceRanges,
  audit,
  usage,
  signIn,
  vehicleDocuments,
  endings,
  signInAttempts,
  proofs,
  auditSight,
  rebinding,
  searchWords,
  auditTrails,
  oldSecrets,
  settings,
  vehicleHistory,
  vehicleSpellings,
  vehicleWords,
  dealerCoordinates,
  removedVehicles,
  dailyFigures,
  jobs,
  imports,
  storedSpellings,
  feedPermissions,
  publish,
  importMappings,
  importSources,
  feeds,
  dealerSorts,
  switchedOff,
  dealerFigures,
  spellingUse,
  soldPrices,
  uniqueVin,
  publicKeys,
  recentChanges,
  dateOrder,
  importBases,
  nameForms,
  tradeFields,
  changeFeed,
  keptAnswers,
  keyNetworks,
  photos,
  webhooks,
  keyLife,
  keyOwners,
  unusedKeys,
  today,
  scheduledChanges,
  operators,
  stockNumberEnds,
  fetchedPhotos,
  keptAnswerShares,
  mappingValues,
  offboardings,
  readableProgress,
];
