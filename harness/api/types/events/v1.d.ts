// Derived from the Go types of events/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as core from '../core/v1.d.ts';
import type * as meta from '../meta/v1.d.ts';
export interface Event {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  eventTime: string;
  series?: EventSeries;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  regarding?: core.ObjectReference;
  related?: core.ObjectReference;
  note?: string;
  type?: string;
  deprecatedSource?: core.EventSource;
  deprecatedFirstTimestamp?: string | null;
  deprecatedLastTimestamp?: string | null;
  deprecatedCount?: number;
}
export interface EventList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Event>;
}
export interface EventSeries {
  count: number;
  lastObservedTime: string;
}
