/** Image registries: their client interface, the simulated registries, and their content. */

export type { Access, TokenServer } from './access-control.ts';
export { type CatalogueImage, catalogue, privateAccount, publicRegistries } from './catalogue.ts';
export type { Layer } from './oci.ts';
export { Registry } from './registry.ts';
export {
  type BlobRequest,
  type Content,
  type ManifestRequest,
  type RegistryClient,
  RegistryError,
  type RegistryFault,
  RegistryUnreachable,
  type Token,
  type TokenFormRequest,
  type TokenRequest,
} from './registry-client.ts';
export type { RateLimit, RegistryHost, RegistryHostOptions } from './registry-host.ts';
export type { ImageSource } from './repository.ts';
