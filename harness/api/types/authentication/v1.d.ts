// Derived from the Go types of authentication/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface BoundObjectReference {
  kind?: string;
  apiVersion?: string;
  name?: string;
  uid?: string;
}
export interface SelfSubjectReview {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  status?: SelfSubjectReviewStatus;
}
export interface SelfSubjectReviewStatus {
  userInfo?: UserInfo;
}
export interface TokenRequest {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: TokenRequestSpec;
  status?: TokenRequestStatus;
}
export interface TokenRequestSpec {
  audiences?: Array<string>;
  expirationSeconds?: number;
  boundObjectRef?: BoundObjectReference;
}
export interface TokenRequestStatus {
  token?: string;
  expirationTimestamp?: string | null;
}
export interface TokenReview {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: TokenReviewSpec;
  status?: TokenReviewStatus;
}
export interface TokenReviewSpec {
  token: string;
  audiences?: Array<string>;
}
export interface TokenReviewStatus {
  authenticated?: boolean;
  user?: UserInfo;
  audiences?: Array<string>;
  error?: string;
}
export interface UserInfo {
  username?: string;
  uid?: string;
  groups?: Array<string>;
  extra?: { [name: string]: Array<string> };
}
