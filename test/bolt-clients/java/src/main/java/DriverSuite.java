import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.exceptions.ClientException;

/** The official Java driver against the server at NEO4J_URL: types, transaction functions, bookmarks, errors. */
public final class DriverSuite {
  public static void main(String[] args) {
    for (String url : List.of(System.getenv("BOLT_URL"), System.getenv("NEO4J_URL"))) {
      try (Driver driver = GraphDatabase.driver(url, AuthTokens.basic("neo4j", System.getenv("TOKEN")))) {
        driver.verifyConnectivity();
        types(driver);
        transactions(driver);
      }
    }
    System.out.println("neo4j-java-driver: all held");
  }

  private static void types(Driver driver) {
    try (var session = driver.session()) {
      List<Object> values =
          Arrays.asList(null, true, "Größe 😀", Long.MAX_VALUE, Long.MIN_VALUE, 1.5, List.of(1L, "a"), Map.of("a", Map.of("b", List.of(1L))),
              LocalDate.of(2024, 2, 29), ZonedDateTime.parse("2024-07-01T12:00:00+02:00[Europe/Stockholm]"));
      for (Object value : values) {
        var parameters = new java.util.HashMap<String, Object>();
        parameters.put("value", value);
        Object got = session.run("RETURN $value", parameters).single().get(0).asObject();
        expect(value == null ? got == null : value.equals(got), value + " is not " + got);
      }
      var path = session.run("CREATE p = (:A {x: 1})-[:R]->(:B) RETURN p").single().get(0).asPath();
      expect(path.length() == 1 && path.start().get("x").asLong() == 1, "path");
      expect(session.run("MATCH (n) DETACH DELETE n").consume().counters().nodesDeleted() == 2, "counters");
      expect(session.run("PROFILE RETURN 1").consume().profile().records() == 1, "profile");
    }
  }

  private static void transactions(Driver driver) {
    IntStream.range(0, 20).parallel().forEach(i -> {
      try (var session = driver.session()) {
        session.executeWriteWithoutResult(tx -> tx.run("CREATE (:Written)").consume());
      }
    });
    try (var session = driver.session()) {
      long count = session.executeRead(tx -> tx.run("MATCH (n:Written) RETURN count(n)").single().get(0).asLong());
      expect(count == 20, "20 nodes, not " + count);
      session.run("MATCH (n:Written) DELETE n").consume();
      expect(!session.lastBookmarks().isEmpty(), "bookmarks");
      long rows = session.run("UNWIND range(1, 5000) AS x RETURN x").stream().count();
      expect(rows == 5000, "5000 rows");
      try {
        session.run("CALL no.such.procedure()").consume();
        throw new AssertionError("a procedure that is not there");
      } catch (ClientException error) {
        expect(error.code().equals("Neo.ClientError.Procedure.ProcedureNotFound"), error.code());
      }
    }
  }

  private static void expect(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }
}
