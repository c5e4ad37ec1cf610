import './levels/1-cache.test.ts';
import './levels/2-delta-fifo.test.ts';
import './levels/3-list.test.ts';
import './levels/4-watch.test.ts';
import './levels/5-failures.test.ts';
import './levels/6-informer.test.ts';
