import type { ComponentContext } from './component-context.ts';

/** The type of a question or a record. Clients also ask for types without records here, such as `MX`. */
export type DnsType = 'A' | 'AAAA' | 'CNAME' | 'HINFO' | 'MX' | 'NS' | 'PTR' | 'SOA' | 'SRV' | 'TXT';

/** Upstream: miekg/dns@v1.1.72 types.go RcodeToString */
export type DnsRcode = 'NOERROR' | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED';

/** A question to a name server. */
export interface DnsQuestion {
  /** In the client's spelling, with the trailing dot of the root: `Web.default.svc.cluster.local.` */
  readonly name: string;
  readonly type: DnsType;
}

/** A record. Names in it end with a dot, and `ttl` is in seconds. */
export type DnsRecord = { readonly name: string; readonly ttl: number } & (
  | { readonly type: 'A' | 'AAAA'; readonly address: string }
  | { readonly type: 'CNAME' | 'PTR'; readonly target: string }
  | {
      readonly type: 'SRV';
      readonly priority: number;
      readonly weight: number;
      readonly port: number;
      readonly target: string;
    }
  | { readonly type: 'TXT'; readonly text: string }
  | {
      readonly type: 'SOA';
      readonly mname: string;
      readonly rname: string;
      readonly serial: number;
      readonly refresh: number;
      readonly retry: number;
      readonly expire: number;
      readonly minimum: number;
    }
);

/**
 * The response of a name server. `NOERROR` with an empty `answer` is called NODATA: the name exists, but has no record
 * of this type. `NXDOMAIN` means that neither the name nor any name below it exists.
 *
 * Differs: a message is a value instead of bytes, so it is never too long for UDP, and never malformed.
 */
export interface DnsMessage {
  readonly question: DnsQuestion;
  readonly rcode: DnsRcode;
  /** Whether the name server is responsible for this name, and has not forwarded the question. */
  readonly authoritative: boolean;
  readonly answer: readonly DnsRecord[];
  /** An `SOA` record, which limits how long a client may cache a negative answer. */
  readonly authority: readonly DnsRecord[];
  /** Records that the client would request next: the addresses of the targets in `answer`. */
  readonly additional: readonly DnsRecord[];
}

/**
 * CoreDNS's plugin `kubernetes`, which answers for the names of a cluster.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go Kubernetes
 */
export interface KubernetesDns {
  /**
   * Returns whether the plugin has read all objects that existed when it started. `/ready` reports it. It stays true.
   */
  hasSynced(): boolean;
  /**
   * Answers a question.
   *
   * @returns undefined if another plugin must answer: none of its zones contains the name, or the name does not exist
   * and its zone falls through
   */
  answer(question: DnsQuestion): Promise<DnsMessage | undefined>;
}

/** Creates the plugin for a starting process. It starts to read the API at once, and stops with `context.signal`. */
export type NewKubernetesDns = (options: KubernetesDnsOptions) => KubernetesDns;

/** Options of the plugin: the `kubernetes` block of the Corefile. */
export interface KubernetesDnsOptions {
  readonly context: Pick<ComponentContext, 'informers' | 'clock' | 'signal'>;
  /**
   * Zones with a trailing dot: `cluster.local.`, `in-addr.arpa.`. The first zone that is not for reverse lookups has
   * the Services.
   */
  readonly zones: readonly string[];
  /** In seconds. Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go defaultTTL @defaultValue 5 */
  readonly ttl?: number;
  /**
   * Names of pods by their IP addresses: `10-244-1-2.default.pod.cluster.local`. `disabled`: none; `insecure`: for
   * every address, in a namespace that exists; `verified`: only for addresses of pods.
   *
   * @defaultValue disabled
   */
  readonly pods?: 'disabled' | 'insecure' | 'verified';
  /** Domains for which a missing name is passed to the next plugin. @defaultValue none */
  readonly fallthrough?: readonly string[];
  /** Queries the whole name server, for the target of an alias outside the zones. */
  lookup(question: DnsQuestion): Promise<DnsMessage>;
}
