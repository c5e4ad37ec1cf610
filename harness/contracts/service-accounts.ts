/**
 * The names in a Secret with a token of a service account.
 *
 * Upstream: kubernetes/api@v0.36.3 core/v1/types.go SecretTypeServiceAccountToken, ServiceAccountNameKey,
 * ServiceAccountTokenKey
 */
export const LEGACY = {
  /** The type of such a Secret. */
  type: 'kubernetes.io/service-account-token',
  /** The annotation with the name of the account. */
  account: 'kubernetes.io/service-account.name',
  /** The annotation with the uid of the account. */
  accountUID: 'kubernetes.io/service-account.uid',
  /** The key of the token in the data. */
  token: 'token',
  /** The label of a Secret with an invalid token. Its value is a date. */
  invalidSince: 'kubernetes.io/legacy-token-invalid-since',
} as const;
