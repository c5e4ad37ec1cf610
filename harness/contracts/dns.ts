import type { ComponentContext } from './component-context.ts';

/** What a name is asked for. Types that no record here has are asked for, too: `MX`. */
export type DnsType = 'A' | 'AAAA' | 'CNAME' | 'HINFO' | 'MX' | 'NS' | 'PTR' | 'SOA' | 'SRV' | 'TXT';

/** Upstream: miekg/dns@v1.1.72 types.go RcodeToString */
export type DnsRcode = 'NOERROR' | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED';

/** What is asked of a name server. */
export interface DnsQuestion {
  /** With the dot of the root at its end, spelled as the client spelled it: `Web.default.svc.cluster.local.` */
  readonly name: string;
  readonly type: DnsType;
}

/** One record. Names in it end with a dot, and its `ttl` is in seconds. */
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
 * The answer of a name server. `NOERROR` without any record in `answer` is called NODATA: the name exists, and has nothing of this
 * type. `NXDOMAIN` says that there is no such name, and no name that ends with it.
 *
 * Differs: a message is a value and not bytes, so that none is too long for UDP, and none is broken.
 */
export interface DnsMessage {
  readonly question: DnsQuestion;
  readonly rcode: DnsRcode;
  /** The name server answers for this name itself; it has not asked another one. */
  readonly authoritative: boolean;
  readonly answer: readonly DnsRecord[];
  /** How long a client may remember that there is nothing: a record `SOA`. */
  readonly authority: readonly DnsRecord[];
  /** What the client would ask next: the addresses of the targets in `answer`. */
  readonly additional: readonly DnsRecord[];
}

/**
 * What answers for the names of a cluster in CoreDNS: its plugin `kubernetes`.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go Kubernetes
 */
export interface KubernetesDns {
  /** Whether it has seen all that was there when it began: what `/ready` asks. It stays true. */
  hasSynced(): boolean;
  /**
   * Answers a question.
   *
   * @returns undefined when another plugin is to answer: the name is in none of its zones, or there is no such name in a zone that
   * falls through
   */
  answer(question: DnsQuestion): Promise<DnsMessage | undefined>;
}

/**
 * Makes the plugin for a process that starts now. It begins to read the API at once, and ends with `context.signal`.
 */
export type NewKubernetesDns = (options: KubernetesDnsOptions) => KubernetesDns;

/** How the plugin is set up: what the Corefile says in its stanza `kubernetes`. */
export interface KubernetesDnsOptions {
  readonly context: Pick<ComponentContext, 'informers' | 'clock' | 'signal'>;
  /** Each ends with a dot: `cluster.local.`, `in-addr.arpa.`. The first that is not of addresses is that of services. */
  readonly zones: readonly string[];
  /** In seconds. Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/kubernetes.go defaultTTL @defaultValue 5 */
  readonly ttl?: number;
  /**
   * Names of pods by their addresses, `10-244-1-2.default.pod.cluster.local`: not at all, for every address in a namespace that
   * exists, or only for those of pods.
   *
   * @defaultValue disabled
   */
  readonly pods?: 'disabled' | 'insecure' | 'verified';
  /** Below which names another plugin is asked when there is no such name. @defaultValue none */
  readonly fallthrough?: readonly string[];
  /** Asks all that this name server knows, for the target of an alias that leads out of the zone. */
  lookup(question: DnsQuestion): Promise<DnsMessage>;
}
