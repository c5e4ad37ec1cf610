import { randomBytes } from 'node:crypto';
import { CLUSTER_ADMINS } from '../cluster/identities.ts';
import {
  clientCertificate,
  type KeyPair,
  newAuthority,
  type ServingCertificate,
  servingCertificate,
} from '../mount/tls.ts';
import { CertificateAuthority } from '../platform/x509/authority.ts';

/** The keys that outlive a restart of a cluster. */
export interface SavedPki {
  /** The certificate of the authority and its key, in PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly tokenKey: string;
}

/**
 * The keys and certificates of a served cluster: one authority signs the server and its clients.
 *
 * Certificates and tokens follow the clock of the cluster, not that of the machine: a client of a fast cluster sees its
 * certificate expire early, together with its tokens.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubeadm/app/phases/certs/certlist.go Certificates
 *
 * Differs: kubeadm has separate authorities for front proxies and for etcd, and signs with RSA by default.
 */
export class ClusterPki {
  readonly authority: CertificateAuthority;
  /** The key that signs the tokens of service accounts. */
  readonly tokenKey: string;

  private constructor(authority: CertificateAuthority, tokenKey: string) {
    this.authority = authority;
    this.tokenKey = tokenKey;
  }

  /** Creates new keys. @param nowMs in ms since 1970 */
  static create(nowMs: number): ClusterPki {
    return new ClusterPki(newAuthority(nowMs), randomBytes(32).toString('hex'));
  }

  /** Returns the keys of a saved cluster; new ones if its authority has expired. @throws RangeError if they are invalid */
  static of(saved: SavedPki, nowMs: number): ClusterPki {
    const authority = CertificateAuthority.fromPem(saved);
    const isOver = nowMs > authority.certificate.notAfterMs;
    return isOver ? ClusterPki.create(nowMs) : new ClusterPki(authority, saved.tokenKey);
  }

  get saved(): SavedPki {
    return { certificate: this.authority.pem, key: this.authority.key.pem, tokenKey: this.tokenKey };
  }

  /** Issues the certificate of an apiserver on this machine. @param nowMs in ms since 1970 */
  serving(hosts: readonly string[], nowMs: number): ServingCertificate {
    return servingCertificate({ hosts, nowMs, authority: this.authority });
  }

  /** Issues the certificate of the administrator. @param nowMs in ms since 1970 */
  admin(nowMs: number): KeyPair {
    const { name, groups } = ADMIN;
    return clientCertificate(this.authority, { commonName: name, organizations: groups, nowMs });
  }
}

/**
 * The user of the kubeconfig that a new cluster prints. Its rights come from a binding of its group.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go getKubeConfigSpecsBase,
 * cmd/kubeadm/app/constants/constants.go ClusterAdminsGroupAndClusterRoleBinding
 */
export const ADMIN = { name: 'kubernetes-admin', groups: [CLUSTER_ADMINS] } as const;
