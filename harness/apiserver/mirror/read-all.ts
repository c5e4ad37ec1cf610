import { type KeyValue, type KeyValueStore, StoreError } from '../../contracts/store/index.ts';
import { PREFIX } from './store-keys.ts';

/** The keys of a page. A message of etcd can have 4 MB without further options. */
const PAGE = 500;

/** All objects of a store, at one revision. */
export interface StoreContent {
  readonly revision: number;
  readonly kvs: readonly KeyValue[];
}

/** Reads all objects, page by page, at the revision of the first page. Begins again if that is compacted meanwhile. */
export async function readAll(store: KeyValueStore): Promise<StoreContent> {
  for (;;) {
    try {
      return await read(store);
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'Compacted')) throw error;
    }
  }
}

async function read(store: KeyValueStore): Promise<StoreContent> {
  const end = `${PREFIX.slice(0, -1)}0`;
  const first = await store.range({ key: PREFIX, end, limit: PAGE });
  const { revision } = first;
  const kvs = [...first.kvs];
  for (let page = first; page.more; ) {
    const key = `${kvs.at(-1)?.key}\0`;
    page = await store.range({ key, end, limit: PAGE, revision });
    kvs.push(...page.kvs);
  }
  return { revision, kvs };
}
