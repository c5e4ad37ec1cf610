// Derived from the Go types of certificates/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface CertificateSigningRequest {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: CertificateSigningRequestSpec;
  status?: CertificateSigningRequestStatus;
}
export interface CertificateSigningRequestCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastUpdateTime?: string | null;
  lastTransitionTime?: string | null;
}
export interface CertificateSigningRequestList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<CertificateSigningRequest>;
}
export interface CertificateSigningRequestSpec {
  request: string;
  signerName: string;
  expirationSeconds?: number;
  usages?: Array<string>;
  username?: string;
  uid?: string;
  groups?: Array<string>;
  extra?: { [name: string]: Array<string> };
}
export interface CertificateSigningRequestStatus {
  conditions?: Array<CertificateSigningRequestCondition>;
  certificate?: string;
}
