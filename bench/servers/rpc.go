package main

import (
	"context"
	"io"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	testing "google.golang.org/grpc/interop/grpc_testing"
)

// answerer answers with as many bytes as it got.
type answerer struct {
	testing.UnimplementedTestServiceServer
}

func (answerer) UnaryCall(_ context.Context, in *testing.SimpleRequest) (*testing.SimpleResponse, error) {
	return &testing.SimpleResponse{Payload: in.Payload}, nil
}

func (answerer) FullDuplexCall(s testing.TestService_FullDuplexCallServer) error {
	for {
		in, err := s.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.Send(&testing.StreamingOutputCallResponse{Payload: in.Payload}); err != nil {
			return err
		}
	}
}

func payload() *testing.Payload { return &testing.Payload{Body: make([]byte, 128)} }

// rpc starts the server. A client is what begin makes of a connection, which up to 64 of them
// share, as in programs.
func rpc(begin func(testing.TestServiceClient) (request func() error, err error)) (func() (func() error, error), error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := grpc.NewServer()
	testing.RegisterTestServiceServer(server, answerer{})
	go server.Serve(l)
	var conn *grpc.ClientConn
	users := 0
	return func() (func() error, error) {
		if users++; conn == nil || users%64 == 0 {
			if conn, err = grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials())); err != nil {
				return nil, err
			}
		}
		return begin(testing.NewTestServiceClient(conn))
	}, nil
}

func grpcUnary(string) (func() (func() error, error), error) {
	return rpc(func(c testing.TestServiceClient) (func() error, error) {
		in := &testing.SimpleRequest{Payload: payload()}
		return func() error {
			_, err := c.UnaryCall(context.Background(), in)
			return err
		}, nil
	})
}

func grpcStream(string) (func() (func() error, error), error) {
	return rpc(func(c testing.TestServiceClient) (func() error, error) {
		s, err := c.FullDuplexCall(context.Background())
		if err != nil {
			return nil, err
		}
		in := &testing.StreamingOutputCallRequest{Payload: payload()}
		return func() error {
			if err := s.Send(in); err != nil {
				return err
			}
			_, err := s.Recv()
			return err
		}, nil
	})
}
