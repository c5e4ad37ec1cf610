export type {
  Access,
  AccessConfiguration,
  AccessContext,
  Authentication,
  ClientCertificate,
  Credentials,
  Decision,
  GrantWrite,
  Impersonation,
  LegacyTokenClaims,
  NewAccess,
  ObjectClaim,
  TokenAuthentication,
  TokenClaims,
  UserRules,
  VerifiedToken,
} from './access.ts';
export type { Attributes } from './attributes.ts';
export { forbidden } from './forbidden.ts';
export type { User } from './user.ts';
