import java.nio.file.*;
import java.util.*;
import org.apache.lucene.analysis.standard.*;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.queryparser.classic.*;
import org.apache.lucene.search.*;
import org.apache.lucene.store.*;

/** Indexes docs.tsv and answers queries.txt of a folder on one thread, writes hits to hits.txt, and tells its times as a line of JSON. */
public class LuceneSearch {
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    List<String> documents = Files.readAllLines(folder.resolve("docs.tsv"));
    List<String> queries = Files.readAllLines(folder.resolve("queries.txt"));
    double indexing = Double.MAX_VALUE;
    Directory directory = null;
    for (int round = 0; round < 3; round++) {
      directory = new ByteBuffersDirectory();
      long began = System.nanoTime();
      index(directory, documents);
      indexing = Math.min(indexing, (System.nanoTime() - began) / 1e6);
    }
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
    searcher.setQueryCache(null);
    StringBuilder hits = new StringBuilder();
    double searching = Double.MAX_VALUE;
    for (int round = 0; round < 6; round++) {
      hits.setLength(0);
      long began = System.nanoTime();
      for (String query : queries) {
        for (ScoreDoc hit : searcher.search(parser().parse(query), 20).scoreDocs) hits.append(hit.doc).append(':').append(hit.score).append(' ');
        hits.append('\n');
      }
      searching = Math.min(searching, (System.nanoTime() - began) / 1e6);
    }
    Files.writeString(folder.resolve("hits.txt"), hits);
    System.out.println("{\"indexing\": " + indexing + ", \"searching\": " + searching + "}");
  }

  static MultiFieldQueryParser parser() {
    MultiFieldQueryParser parser = new MultiFieldQueryParser(new String[] {"title", "body"}, new StandardAnalyzer());
    parser.setAllowLeadingWildcard(true);
    return parser;
  }

  static void index(Directory directory, List<String> documents) throws Exception {
    IndexWriterConfig configuration = new IndexWriterConfig(new StandardAnalyzer()).setMergeScheduler(new SerialMergeScheduler());
    try (IndexWriter writer = new IndexWriter(directory, configuration.setRAMBufferSizeMB(256))) {
      for (String line : documents) {
        String[] fields = line.split("\t", -1);
        Document document = new Document();
        document.add(new TextField("title", fields[0], Field.Store.NO));
        document.add(new TextField("body", fields[1], Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }
}
