import { followStore, type NewObjectStore } from '#given/12-store';
import { ObjectReader } from './object-reader.ts';
import { ObjectWriter } from './objects.ts';
import { WatchCache } from './watch-cache.ts';

/** Opens the objects of a resource. Given: it connects your parts. */
export const newObjectStore: NewObjectStore = (context) => {
  const cache = new WatchCache();
  const writer = new ObjectWriter(context);
  const reader = new ObjectReader(context, cache);
  void followStore(context, cache);
  return {
    create: (object) => writer.create(object),
    update: (place, change, preconditions) => writer.write(place, change, preconditions),
    delete: (place, preconditions) => writer.write(place, () => undefined, preconditions),
    get: (place, options = {}) => reader.get(place, options),
    list: (options = {}) => reader.list(options),
    watch: (options = {}) => reader.watch(options),
  };
};
