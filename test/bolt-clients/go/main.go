// The official Go driver against the server at NEO4J_URL: types, transaction functions, bookmarks, errors.
package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"sync"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

func main() {
	ctx := context.Background()
	for _, url := range []string{os.Getenv("BOLT_URL"), os.Getenv("NEO4J_URL")} {
		driver, err := neo4j.NewDriverWithContext(url, neo4j.BasicAuth("neo4j", os.Getenv("TOKEN"), ""))
		check(err)
		check(driver.VerifyConnectivity(ctx))
		types(ctx, driver)
		transactions(ctx, driver)
		check(driver.Close(ctx))
	}
	fmt.Println("neo4j-go-driver: all held")
}

func types(ctx context.Context, driver neo4j.DriverWithContext) {
	session := driver.NewSession(ctx, neo4j.SessionConfig{})
	defer session.Close(ctx)
	values := []any{nil, true, "Größe 😀", int64(math.MaxInt64), int64(math.MinInt64), 1.5, []any{int64(1), "a", nil},
		map[string]any{"a": map[string]any{"b": []any{int64(1)}}}, []byte{0, 255},
		neo4j.Duration{Months: 14, Days: -3, Seconds: 5, Nanos: 999999999}}
	for _, value := range values {
		got := one(ctx, session, "RETURN $value", map[string]any{"value": value})
		expect(reflect.DeepEqual(got, value), value, got)
	}
	date := one(ctx, session, "RETURN date('2024-02-29')", nil).(neo4j.Date)
	expect(date.String() == "2024-02-29", date)
	zoned := one(ctx, session, "RETURN datetime('2024-07-01T12:00:00[Europe/Stockholm]')", nil)
	expect(one(ctx, session, "RETURN toString($t)", map[string]any{"t": zoned}) == "2024-07-01T12:00:00+02:00[Europe/Stockholm]", zoned)
	path := one(ctx, session, "CREATE p = (:A {x: 1})-[:R]->(:B) RETURN p", nil).(neo4j.Path)
	expect(len(path.Nodes) == 2 && path.Nodes[0].Props["x"] == int64(1) && path.Relationships[0].Type == "R", path)
	one(ctx, session, "MATCH (n) DETACH DELETE n RETURN count(*)", nil)
}

func transactions(ctx context.Context, driver neo4j.DriverWithContext) {
	var group sync.WaitGroup
	for range 20 {
		group.Add(1)
		go func() {
			defer group.Done()
			session := driver.NewSession(ctx, neo4j.SessionConfig{})
			defer session.Close(ctx)
			_, err := session.ExecuteWrite(ctx, func(tx neo4j.ManagedTransaction) (any, error) {
				return tx.Run(ctx, "CREATE (:Written)", nil)
			})
			check(err)
		}()
	}
	group.Wait()
	session := driver.NewSession(ctx, neo4j.SessionConfig{AccessMode: neo4j.AccessModeRead})
	defer session.Close(ctx)
	count, err := session.ExecuteRead(ctx, func(tx neo4j.ManagedTransaction) (any, error) {
		result, err := tx.Run(ctx, "MATCH (n:Written) RETURN count(n)", nil)
		if err != nil {
			return nil, err
		}
		record, err := result.Single(ctx)
		return record.Values[0], err
	})
	check(err)
	expect(count == int64(20), count)
	result, err := neo4j.ExecuteQuery(ctx, driver, "MATCH (n:Written) DETACH DELETE n", nil, neo4j.EagerResultTransformer)
	check(err)
	expect(result.Summary.Counters().NodesDeleted() == 20, "counters")
	_, err = neo4j.ExecuteQuery(ctx, driver, "CALL no.such.procedure()", nil, neo4j.EagerResultTransformer)
	var known *neo4j.Neo4jError
	expect(errors.As(err, &known) && known.Code == "Neo.ClientError.Procedure.ProcedureNotFound", err)
}

func one(ctx context.Context, session neo4j.SessionWithContext, query string, params map[string]any) any {
	result, err := session.Run(ctx, query, params)
	check(err)
	record, err := result.Single(ctx)
	check(err)
	return record.Values[0]
}

func expect(holds bool, what ...any) {
	if !holds {
		panic(fmt.Sprint(what...))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
