import type { JsonObject } from '../../apiserver/patch/json-value.ts';

/** An object of a manifest. Only the fields that are named here have been checked. */
export interface Manifest extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMetadata;
}

interface ManifestMetadata extends JsonObject {
  readonly name: string;
}
