export type {
  Applied,
  Apply,
  ApplyContext,
  ApplyError,
  ApplyOptions,
  ApplyReport,
  ManifestDocument,
  Mapping,
} from './apply.ts';
export type { MergeField, MergeSchema } from './merge-schema.ts';
