import type { ServiceAccountTokens } from '../apiserver/service-account-tokens.ts';
import type { ClusterKeys } from '../contracts/cluster-keys.ts';

/**
 * Returns the keys for the controllers of a cluster.
 *
 * @param ca - the CA certificate of the apiserver, in PEM. Undefined: the certificate of a simulation
 */
export function clusterKeys(tokens: ServiceAccountTokens, ca: string | undefined): ClusterKeys {
  return { rootCA: ca ?? SIMULATED_CA, signLegacyToken: (claims) => tokens.signLegacy(claims) };
}

/**
 * The certificate of an authority, for the pods of a simulation.
 *
 * Differs: the simulated network has no TLS, so this authority has signed nothing.
 */
export const SIMULATED_CA = `-----BEGIN CERTIFICATE-----
MIIBPjCB5KADAgECAgEBMAoGCCqGSM49BAMCMBUxEzARBgNVBAMTCmt1YmVybmV0
ZXMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBUxEzARBgNVBAMT
Cmt1YmVybmV0ZXMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATu6eAAUFUOkIkE
/KaAoIV44YpIxuFgOMKwTtbuoSKnCV89hfTYQC7VH6dwJyk9oL0tlQD3l9qGevus
dW+a+d9XoyMwITAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwICpDAKBggq
hkjOPQQDAgNJADBGAiEAl7E8iIeJ/7o+VHHliUg0dRnaPuFtwc9gJjMggEfQoKoC
IQCC/k98QIeQyFAPdik+XN7EHo04dET+b8p8qgGcr01BOA==
-----END CERTIFICATE-----
`;
