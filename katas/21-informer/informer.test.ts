import './levels/1-index.test.ts';
import './levels/2-queue.test.ts';
import './levels/3-cache.test.ts';
import './levels/4-list.test.ts';
import './levels/5-watch.test.ts';
import './levels/6-stream.test.ts';
import './levels/7-failures.test.ts';
import './levels/8-informer.test.ts';
